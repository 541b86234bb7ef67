import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { Timeline } from "../timeline.ts";

/** One token for each character, so that the numbers below are easy to check. */
const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };

function withRounds(count: number, resultChars = 50): Timeline {
  const timeline = Timeline.create(deps);
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Go")]);
  for (let i = 0; i < count; i++) {
    const at = { turn: "turn_1", call: `c${i}` };
    timeline.contribute([make.call(at, "mcp.a.b", {}), make.result(at, "r".repeat(resultChars), "text/plain")]);
  }
  return timeline;
}

const result = (nth: number) => `tc:turn_1.c${nth}.result`;
const shown = (timeline: Timeline) =>
  timeline
    .render()
    .messages()
    .map((message) => (message.type === "text" ? message.text : ""));

describe("hide", () => {
  it("replaces the block with the agent's note and how to read it again", () => {
    const timeline = withRounds(3);
    const answer = timeline.hide({ paths: [result(2)], replacement: "a list of prices" });
    expect(answer).toMatchObject({ status: "ok", code: null, blocks_hidden: 1 });
    expect(answer.tokens_hidden).toBeGreaterThan(50);
    expect(shown(timeline).at(-1)).toBe(`HIDDEN — a list of prices. Retrieve with react.read(${result(2)})\n\n`);
    expect(timeline.resolve(result(2))).toMatchObject({ hidden: true, text: "r".repeat(50) });
  });

  it("adds no second full stop after a note that has one, except under the render rules of version 1", () => {
    const hidden = (replacement: string, rendererVersion?: number) => {
      const { state } = withRounds(3);
      const timeline = Timeline.fromState(state, {
        ...deps,
        ...(rendererVersion === undefined ? {} : { rendererVersion }),
      });
      timeline.hide({ paths: [result(2)], replacement });
      return shown(timeline).at(-1);
    };
    for (const note of ["A list.", "Done!", "Why?", "価格表。"])
      expect(hidden(note)).toBe(`HIDDEN — ${note} Retrieve with react.read(${result(2)})\n\n`);
    expect(hidden("A list.", 1)).toBe(`HIDDEN — A list.. Retrieve with react.read(${result(2)})\n\n`);
    expect(hidden("A list", 1)).toBe(hidden("A list"));
  });

  it("refuses blocks before the pre-tail checkpoint, whichever strategy renders", () => {
    const timeline = withRounds(8);
    // Of eight rounds, the cached part ends with round 8 - 1 - 4 = 3.
    expect(timeline.hide({ paths: [result(3)], replacement: "x" })).toMatchObject({
      code: "hide_before_cache",
      blocks_hidden: 0,
    });
    expect(timeline.hide({ paths: [result(4)], replacement: "x" })).toMatchObject({ code: null, blocks_hidden: 1 });
  });

  it("checks the checkpoint before the age", () => {
    const timeline = withRounds(8, 1_000);
    expect(timeline.hide({ paths: [result(0)], replacement: "x" }).code).toBe("hide_before_cache");
    expect(timeline.hide({ paths: [result(4)], replacement: "x" }).code).toBe("hide_too_old");
  });

  it("measures the age in rendered tokens after the target, up to the last stable block", () => {
    const timeline = withRounds(2, 50);
    const messages = shown(timeline);
    const exact = messages.slice(4).join("").length;
    const hide = (editableTailTokens: number) =>
      timeline.hide({ paths: [result(0)], replacement: "x", editableTailTokens, cache: { cache_point_min_rounds: 9 } });
    expect(hide(exact - 1).code).toBe("hide_too_old");
    expect(hide(exact).code).toBeNull();
  });

  it("hides the last result however large it is: the target itself does not count", () => {
    const timeline = withRounds(3, 100_000);
    expect(timeline.hide({ paths: [result(2)], replacement: "x" })).toMatchObject({ code: null, blocks_hidden: 1 });
    expect(timeline.hide({ paths: [result(1)], replacement: "x" }).code).toBeNull();
    expect(withRounds(3, 100_000).hide({ paths: [result(1)], replacement: "x" }).code).toBe("hide_too_old");
  });

  it("counts the tokens between two blocks with one path, without those two blocks", () => {
    const timeline = withRounds(0);
    const at = { turn: "turn_1", call: "w" };
    const file = (text: string) => make.file(at, { name: "a.md", mime: "text/markdown", text }).at(-1);
    const between = { type: "react.notes", turn_id: "turn_1", text: "n".repeat(300) };
    timeline.contribute(
      [file("f".repeat(5_000)), between, file("g".repeat(5_000))].filter((block) => block !== undefined),
    );
    const counted = shown(timeline).at(-2)?.length ?? 0;
    const hide = (editableTailTokens: number) =>
      timeline.hide({ paths: ["fi:turn_1.files/a.md"], replacement: "x", editableTailTokens });
    expect(hide(counted - 1).code).toBe("hide_too_old");
    expect(hide(counted)).toMatchObject({ code: null, blocks_hidden: 2 });
  });

  it("hides all or none of several paths", () => {
    const timeline = withRounds(3);
    const before = shown(timeline);
    const answer = timeline.hide({ paths: [result(2), "tc:turn_1.nowhere.result"], replacement: "x" });
    expect(answer).toMatchObject({
      status: "error",
      code: "not_found",
      blocks_hidden: 0,
      refused: "tc:turn_1.nowhere.result",
    });
    expect(shown(timeline)).toEqual(before);
  });

  it("hides only the blocks after the checkpoint if several have one path", () => {
    const timeline = withRounds(1);
    const write = (call: string) => {
      const at = { turn: "turn_1", call };
      timeline.contribute([
        make.call(at, "react.write", {}),
        ...make.file(at, { name: "a.md", mime: "text/markdown", text: call }),
      ]);
    };
    for (const call of ["w1", "w2", "w3", "w4", "w5", "w6", "w7"]) write(call);
    expect(timeline.hide({ paths: ["fi:turn_1.files/a.md"], replacement: "drafts" })).toMatchObject({
      blocks_hidden: 4,
    });
    expect(shown(timeline).filter((text) => text.startsWith("HIDDEN"))).toHaveLength(1);
  });

  it("accepts a path in an older spelling and one with a version", () => {
    expect(withRounds(3).hide({ paths: ["tc:turn_1.tool_calls.c2.out.json"], replacement: "x" }).blocks_hidden).toBe(1);
    expect(withRounds(3).hide({ paths: [`${result(2)}@v1`], replacement: "x" }).blocks_hidden).toBe(1);
    expect(withRounds(3).hide({ paths: [`${result(2)}@v2`], replacement: "x" }).code).toBe("not_found");
  });

  it("leaves blocks that are already hidden unchanged", () => {
    const timeline = withRounds(3);
    timeline.hide({ paths: [result(2)], replacement: "first" });
    expect(timeline.hide({ paths: [result(2)], replacement: "second" })).toMatchObject({
      status: "ok",
      blocks_hidden: 0,
    });
    expect(shown(timeline).at(-1)).toContain("first");
  });
});
