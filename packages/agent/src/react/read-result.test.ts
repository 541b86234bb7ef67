import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { json, statusOf, ToolBench } from "../../test/tool-bench.ts";
import { defineTool, type ToolEnvelope } from "../tool/tool.ts";
import { hideTool } from "./hide.ts";
import { createReadTool } from "./read.ts";
import { writeTool } from "./write.ts";

const readTool = createReadTool([]);

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe("react.read of a result", () => {
  const ship = (envelope: ToolEnvelope) =>
    defineTool({ id: "shop.ship", description: "Ships.", params: z.object({}), run: async () => envelope });
  const error = { code: "out_of_stock", message: "There is no tea." };
  const path = "tc:turn_1.tc_2.result";

  /** The call with a hidden result: the first call comes before it, so that it can be hidden. */
  async function callAndHide(envelope: ToolEnvelope): Promise<void> {
    await bench.call(writeTool, { path: "turn_1/files/first.md", content: "x" });
    await bench.call(ship(envelope), {});
    await bench.call(hideTool, { path, replacement_text: "an order" });
  }

  it("shows the failure of the earlier call at its path, and reports no failure of react.read", async () => {
    await callAndHide({ ok: false, error });
    const { blocks, outcome } = await bench.call(readTool, { paths: [path] });
    expect(outcome).toBe("ok");
    expect(json(blocks.at(-1))).toMatchObject({ tool_id: "shop.ship", error });
    const view = bench.view("[TOOL CALL tc_4]");
    expect(view).toContain(`[TOOL RESULT tc_4].result react.read\nlogical_path: ${path}\n{"tool_id":"shop.ship"`);
    expect(view).toContain("out_of_stock");
    expect(view).not.toContain("Status: error");
  });

  it("shows both an error and a value", async () => {
    await callAndHide({ ok: false, error, ret: { left: ["coffee"] } });
    const { blocks } = await bench.call(readTool, { paths: [path] });
    const [failure, value] = (blocks.at(-1)?.text ?? "").split("\n");
    expect(JSON.parse(failure ?? "")).toMatchObject({ tool_id: "shop.ship", error });
    expect(value).toBe('{"left":["coffee"]}');
    expect(bench.timeline.resolve(path)?.text).toBe(blocks.at(-1)?.text);
  });

  it("does not show content again that several blocks already show, whether they belong to the call or to a read", async () => {
    await bench.call(writeTool, { path: "turn_1/files/first.md", content: "x" });
    await bench.call(ship({ ok: false, error, ret: { left: ["coffee"] } }), {});
    const first = await bench.call(readTool, { paths: [path] });
    expect(statusOf(first.blocks)).toMatchObject({ exists_in_visible_context: [path], total_tokens: 0 });
    expect(first.blocks).toHaveLength(1);
    await bench.call(hideTool, { path, replacement_text: "an order" });
    expect((await bench.call(readTool, { paths: [path] })).blocks).toHaveLength(2);
    expect((await bench.call(readTool, { paths: [path] })).blocks).toHaveLength(1);
  });

  it("removes the hosting fields from each of its blocks", async () => {
    const rows = [1, 2].map((nth) => ({ artifact_path: `fi:turn_1.files/${nth}.md`, hosted_uri: "secret" }));
    await bench.call(writeTool, { path: "turn_1/files/first.md", content: "x" });
    bench.timeline.contribute(
      [JSON.stringify(rows), "shipped"].map((text) => ({
        type: "react.tool.result",
        turn_id: "turn_1",
        path: "tc:turn_1.tc_0.result",
        text,
        meta: { tool_call_id: "tc_0" },
      })),
    );
    await bench.call(hideTool, { path: "tc:turn_1.tc_0.result", replacement_text: "files" });
    const { blocks } = await bench.call(readTool, { paths: ["tc:turn_1.tc_0.result"] });
    expect(blocks.at(-1)?.text).toContain("shipped");
    expect(blocks.at(-1)?.text).not.toContain("secret");
  });
});
