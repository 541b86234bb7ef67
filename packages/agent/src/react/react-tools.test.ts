import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolBench } from "../../test/tool-bench.ts";
import { createRegistry } from "../tool/registry.ts";
import { reactTools } from "./react-tools.ts";

const path = fc.oneof(
  fc.constantFrom(
    "turn_1/files/a.md",
    "a.md",
    "fi:turn_1.files/a.md@v1",
    "fi:turn_0.user.attachments/x",
    "so:sources_pool[1-3]",
    "so:sources_pool[1-999999999]",
    "tc:turn_1.tc_1.result",
    "ar:turn_1.react.plan.plan_1",
    "su:turn_1.conv.range.summary",
    "sk:none",
    "sk:../x",
    "../x",
    "/etc/passwd",
    "a\\b",
    "a/",
    "",
    "__proto__",
    "ref:fi:turn_1.files/a.md",
  ),
  fc.string({ unit: anyCharacter }),
);
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom("@@ -1,1 +1,1 @@\n-a\n+b\n", "[[S:1-999]]", "[TOOL CALL x].call", ""),
);
const known = fc.record(
  {
    path: fc.oneof(path, fc.array(path, { maxLength: 3 })),
    paths: fc.array(path, { maxLength: 4 }),
    content: text,
    patch: text,
    channel: fc.constantFrom("timeline_text", "canvas", "internal", "other"),
    kind: fc.constantFrom("file", "display"),
    replacement_text: text,
    mode: fc.constantFrom("new", "update", "close"),
    steps: fc.array(text, { maxLength: 3 }),
    plan_id: path,
    query: text,
    replaces: path,
    turn: fc.integer(),
    since: fc.constantFrom("2026-01-01", "x"),
    name: fc.constantFrom("*", "**/**/*a", "?"),
    text,
    lines: fc.record({ from: fc.integer({ min: 0, max: 9 }), to: fc.integer({ min: 0, max: 9 }) }),
  },
  { requiredKeys: [] },
);

describe("the react tools", () => {
  const registry = createRegistry(reactTools());

  it("are the eight tools that an agent needs to work on its own timeline", () => {
    expect(registry.specs().map(({ name }) => name)).toEqual([
      "react.hide",
      "react.memsearch",
      "react.note",
      "react.patch",
      "react.plan",
      "react.read",
      "react.search_files",
      "react.write",
    ]);
  });

  it("take the path before the content, so that the destination is known while the content streams", () => {
    const write = registry.specs().find(({ name }) => name === "react.write");
    expect(Object.keys(write?.schema.properties ?? {})).toEqual(["path", "channel", "kind", "content"]);
  });

  it("leave exactly one outcome and a timeline that renders, whatever a model sends", async () => {
    await using bench = await ToolBench.open();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...registry.tools), fc.oneof(known, fc.jsonValue()), async (tool, params) => {
        const { blocks, outcome } = await bench.call(tool, params);
        const results = blocks.filter((block) => block.type === "react.tool.result");
        expect(results.length).toBeGreaterThan(0);
        expect(["ok", "error"]).toContain(outcome);
        const firstResult = blocks.findIndex((block) => block.type !== "react.notice");
        expect(blocks.slice(firstResult).some((block) => block.type === "react.notice")).toBe(false);
        if (++calls % 50 === 0)
          for (const message of bench.timeline.render().messages()) expect(message.type).toBe("text");
      }),
      { numRuns: Math.min(runs, 3_000) },
    );
    expect((await bench.workspace.list("", 10_000)).every((file) => file.startsWith("turn_1/files/"))).toBe(true);
  });
});
