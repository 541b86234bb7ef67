import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { hideTool } from "./hide.ts";
import { writeTool } from "./write.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
  // With two rounds or more, the first round is before the pre-tail checkpoint.
  await bench.call(writeTool, { path: "turn_1/files/first.md", content: "x" });
});
afterEach(() => bench[Symbol.asyncDispose]());

describe("react.hide", () => {
  it("leaves one result that says how many tokens were hidden", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "a text" });
    const { blocks, outcome } = await bench.call(hideTool, {
      path: "fi:turn_1.files/a.md",
      replacement_text: "a text",
    });
    expect(outcome).toBe("ok");
    expect(outline(blocks)).toEqual(["react.tool.result tc:turn_1.tc_3.result application/json"]);
    expect(json(blocks[0])).toEqual({
      status: "ok",
      paths: ["fi:turn_1.files/a.md"],
      blocks_hidden: 1,
      tokens_hidden: expect.any(Number),
    });
    expect(bench.view("HIDDEN")).toMatch(/^HIDDEN — a text\. Retrieve with react\.read\(fi:turn_1\.files\/a\.md\)\n\n/);
  });

  it("hides nothing and gives the reason when one path is rejected", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "a text" });
    const { blocks, outcome } = await bench.call(hideTool, {
      path: ["fi:turn_1.files/a.md", "fi:turn_1.files/b.md"],
      replacement_text: "x",
    });
    expect(outcome).toBe("error");
    expect(json(blocks[0])).toEqual({
      tool_id: "react.hide",
      tool_call_id: "tc_3",
      error: {
        code: "not_found",
        message: expect.stringContaining("Nothing was hidden"),
        path: "fi:turn_1.files/b.md",
      },
      ts: "2026-02-09T02:14:33.000Z",
    });
    expect(bench.view("[TOOL CALL tc_2]")).not.toContain("HIDDEN");
    expect(bench.view()).toContain("Status: error not_found: fi:turn_1.files/b.md cannot be hidden");
  });

  it("rejects blocks before the pre-tail checkpoint", async () => {
    for (let at = 0; at < 8; at++) await bench.call(writeTool, { path: `turn_1/files/${at}.md`, content: "x" });
    const { blocks } = await bench.call(hideTool, { path: "fi:turn_1.files/0.md", replacement_text: "x" });
    expect(json(blocks[0])).toMatchObject({ error: { code: "hide_before_cache" } });
  });
});
