import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { patchTool } from "./patch.ts";
import { writeTool } from "./write.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

const onDisk = async (path: string) => Buffer.from((await bench.workspace.read(path)) ?? []).toString();
const diff = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n";

describe("react.patch", () => {
  it("leaves the digest, the file, the diff and the outcome, and shows all of them except the file", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "a\nb\n" });
    const { blocks, outcome } = await bench.call(patchTool, { path: "turn_1/files/a.md", patch: diff });
    expect(outcome).toBe("ok");
    expect(outline(blocks)).toEqual([
      "react.tool.result tc:turn_1.tc_2.result application/json",
      "react.tool.result fi:turn_1.files/a.md text/markdown",
      "react.tool.result tc:turn_1.tc_2.result text/x-diff",
      "react.tool.result tc:turn_1.tc_2.result application/json",
    ]);
    expect(json(blocks[0])).toMatchObject({
      artifact_path: "fi:turn_1.files/a.md",
      edited: true,
      visibility: "external",
      kind: "display",
    });
    expect(blocks[1]?.text).toBe("a\nc\n");
    expect(blocks[1]?.meta).toMatchObject({ hosted_uri: "cairn://t/p/u/c/turn_1/files/a.md" });
    expect(blocks[2]?.text).toBe(diff);
    expect(blocks[3]?.text).toBe('{"path":"turn_1/files/a.md","ok":true}');
    expect(await onDisk("turn_1/files/a.md")).toBe("a\nc\n");
    expect(bench.timeline.resolve("fi:turn_1.files/a.md")).toMatchObject({ text: "a\nc\n", version: 2 });
    expect(bench.timeline.state.pool.rows()).toMatchObject([{ sid: 1, text: "a\nc\n" }]);
    expect(bench.view("[TOOL RESULT tc_2]")).toBe(
      [
        "[TOOL RESULT tc_2].summary react.patch",
        "Status: success",
        "Artifacts:",
        "- logical_path: fi:turn_1.files/a.md | kind: display | visibility: external | size_bytes: 4 | tokens: 1 | edited: true",
        "",
        "[TOOL RESULT tc_2].result react.patch",
        "logical_path: tc:turn_1.tc_2.result",
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "+c",
        "",
        "[TOOL RESULT tc_2].result react.patch",
        "logical_path: tc:turn_1.tc_2.result",
        '{"path":"turn_1/files/a.md","ok":true}',
        "",
        "",
      ].join("\n"),
    );
  });

  it("copies a file of an earlier turn into the current one and leaves the earlier one unchanged", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", channel: "internal", content: "a\nb\n" });
    bench.openTurn("turn_2");
    const { blocks } = await bench.call(patchTool, { path: "turn_1/files/a.md", patch: diff });
    expect(json(blocks[0])).toMatchObject({
      code: "protocol_violation.path_rewritten",
      from: "turn_1/files/a.md",
      to: "turn_2/files/a.md",
    });
    expect(json(blocks[1])).toMatchObject({
      artifact_path: "fi:turn_2.files/a.md",
      visibility: "internal",
      edited: true,
    });
    expect(await onDisk("turn_2/files/a.md")).toBe("a\nc\n");
    expect(await onDisk("turn_1/files/a.md")).toBe("a\nb\n");
    expect(bench.blobs.size).toBe(0);
    await bench.call(patchTool, { path: "turn_1/files/a.md", patch: "@@ -1,2 +1,2 @@\n a\n-c\n+d\n" });
    expect(await onDisk("turn_2/files/a.md")).toBe("a\nd\n");
  });

  it("changes nothing when the diff does not apply", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "x\ny\n" });
    const { blocks, outcome } = await bench.call(patchTool, { path: "turn_1/files/a.md", patch: diff });
    expect(outcome).toBe("error");
    expect(outline(blocks)).toEqual(["react.tool.result tc:turn_1.tc_2.result application/json"]);
    expect(json(blocks[0])).toMatchObject({
      tool_id: "react.patch",
      tool_call_id: "tc_2",
      error: { code: "patch_failed" },
    });
    expect(bench.view("[TOOL RESULT tc_2]")).toContain("Status: error patch_failed: Hunk 1");
    expect(await onDisk("turn_1/files/a.md")).toBe("x\ny\n");
    bench.openTurn("turn_2");
    await bench.call(patchTool, { path: "turn_1/files/a.md", patch: diff });
    expect(await bench.workspace.read("turn_2/files/a.md")).toBeNull();
  });

  it("replaces the file when the patch is not a diff", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "x" });
    await bench.call(patchTool, { path: "turn_1/files/a.md", patch: "all new" });
    expect(await onDisk("turn_1/files/a.md")).toBe("all new");
  });

  it("starts from an earlier version when the path names one", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "a\nb\n" });
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "z" });
    await bench.call(patchTool, { path: "fi:turn_1.files/a.md@v1", patch: diff });
    expect(await onDisk("turn_1/files/a.md")).toBe("a\nc\n");
  });

  it("applies two patches of one decision one after the other", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "1\n2\n3\n4\n5\n6\n7\n8\n" });
    const path = "turn_1/files/a.md";
    const calls = await Promise.all([
      bench.start(patchTool, { path, patch: "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n" }),
      bench.start(patchTool, { path, patch: "@@ -7,2 +7,2 @@\n 7\n-8\n+eight\n" }),
    ]);
    for (const call of calls) expect(call.finish().outcome).toBe("ok");
    expect(await onDisk(path)).toBe("one\n2\n3\n4\n5\n6\n7\neight\n");
    expect(bench.timeline.resolve("fi:turn_1.files/a.md")?.text).toBe("one\n2\n3\n4\n5\n6\n7\neight\n");
  });

  it("explains the problem when a file does not exist, is not text or would be empty", async () => {
    const errorOf = async (path: string, patch: string) => {
      const { blocks } = await bench.call(patchTool, { path, patch });
      return (json(blocks.at(-1)).error as { code: string }).code;
    };
    expect(await errorOf("turn_1/files/none.md", diff)).toBe("not_found");
    await bench.workspace.write("turn_1/files/b.bin", new Uint8Array([0, 1, 2]));
    expect(await errorOf("turn_1/files/b.bin", diff)).toBe("not_text");
    await bench.workspace.write("turn_1/files/c.md", "x");
    expect(await errorOf("turn_1/files/c.md", "")).toBe("file_empty");
    const { blocks } = await bench.call(patchTool, { path: "c.md", patch: "" });
    const codes = blocks.filter(({ type }) => type === "react.notice").map((block) => json(block).code);
    expect(codes).toEqual(["protocol_violation.path_rewritten", "tool_result_error"]);
    expect(await onDisk("turn_1/files/c.md")).toBe("x");
    expect(await errorOf("turn_1\\files\\c.md", diff)).toBe("unsafe_path");
  });
});
