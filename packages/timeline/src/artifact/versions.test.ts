import { make } from "@cairn/testkit/conversation";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Timeline } from "../timeline.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };
const PATH = "fi:notes/journal.md";

test("every version of a path is found by its number, however often the path was read in between", () => {
  const property = fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (writes) => {
    const timeline = Timeline.create(deps);
    const written: string[] = [];
    for (const [nth, isWrite] of writes.entries()) {
      const at = { turn: "turn_1", call: `tc_${nth}` };
      const text = isWrite ? `text ${nth}` : (written.at(-1) ?? "");
      if (isWrite) written.push(text);
      timeline.contribute([
        make.call(at, isWrite ? "react.write" : "react.read", {}),
        make.blockOf(at, "react.tool.result", PATH, { mime: "text/markdown", text }),
      ]);
    }
    for (const [nth, text] of written.entries()) {
      const found = timeline.resolve(`${PATH}@v${nth + 1}`);
      expect(found).toMatchObject({ version: nth + 1, text });
    }
    expect(timeline.resolve(`${PATH}@v${written.length + 1}`)).toBeNull();
  });
  fc.assert(property, { numRuns: runs });
});
