import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { writeTool } from "./write.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

const onDisk = async (path: string) => Buffer.from((await bench.workspace.read(path)) ?? []).toString();

describe("react.write", () => {
  it("leaves the digest and then the content, hosted and in the pool", async () => {
    const text = "# Report\n\nThe first finding [[S:1]].\n";
    bench.timeline.mergeSources([{ url: "https://example.com/" }]);
    const { blocks, outcome } = await bench.call(writeTool, { path: "turn_1/files/report.md", content: text });
    expect(outcome).toBe("ok");
    expect(outline(blocks)).toEqual([
      "react.tool.result tc:turn_1.tc_1.result application/json",
      "react.tool.result fi:turn_1.files/report.md text/markdown",
    ]);
    const digest = {
      artifact_path: "fi:turn_1.files/report.md",
      physical_path: "turn_1/files/report.md",
      mime: "text/markdown",
      kind: "display",
      visibility: "external",
      channel: "canvas",
      size_bytes: 37,
      tokens: 10,
      sources_used: [1],
      tool_call_id: "tc_1",
    };
    expect(blocks[0]?.text).toBe(JSON.stringify(digest));
    expect(blocks[1]).toMatchObject({
      author: "react",
      turn_id: "turn_1",
      text,
      meta: {
        tool_call_id: "tc_1",
        iteration: 1,
        channel: "canvas",
        hosted_uri: "cairn://t/p/u/c/turn_1/files/report.md",
        rn: "cairn:t:p:u:c:artifact:turn_1/files/report.md",
        key: "t/p/u/c/turn_1/files/report.md",
        physical_path: "turn_1/files/report.md",
        digest,
        sources_known: 1,
      },
    });
    expect(await onDisk("turn_1/files/report.md")).toBe(text);
    expect(bench.timeline.state.pool.rows()).toMatchObject([
      { sid: 1, url: "https://example.com/" },
      { sid: 2, source_type: "file", title: "report.md", artifact_path: "fi:turn_1.files/report.md", text },
    ]);
    expect(bench.view()).toBe(
      [
        "[TOOL CALL tc_1].call react.write",
        "tc:turn_1.tc_1.call",
        "Params:",
        `{"path":"turn_1/files/report.md","content":"# Report\\n\\nThe first finding [[S:1]].\\n... [see fi:turn_1.files/report.md]"}`,
        "",
        "[TOOL RESULT tc_1].summary react.write",
        "Status: success",
        "Artifacts:",
        "- logical_path: fi:turn_1.files/report.md | kind: display | visibility: external | size_bytes: 37 | tokens: 10 | sources_used: [1]",
        "",
        "[TOOL RESULT tc_1].artifact react.write",
        "logical_path: fi:turn_1.files/report.md",
        "physical_path: turn_1/files/report.md",
        "# Report",
        "",
        "The first finding [[S:1]].",
        "",
        "",
      ].join("\n"),
    );
  });

  it("reports before the results that it wrote to a different path than requested", async () => {
    const { blocks } = await bench.call(writeTool, { path: "report.md", kind: "file", content: "x" });
    expect(outline(blocks)).toEqual([
      "react.notice tc:turn_1.tc_1.notice application/json",
      "react.tool.result tc:turn_1.tc_1.result application/json",
      "react.tool.result fi:turn_1.files/report.md text/markdown",
    ]);
    expect(json(blocks[0])).toMatchObject({
      code: "protocol_violation.path_rewritten",
      from: "report.md",
      to: "turn_1/files/report.md",
    });
    expect(json(blocks[1])).toMatchObject({ kind: "file", visibility: "external" });
  });

  it("keeps an internal note for the agent: not hosted, not in the pool, shown as a note", async () => {
    const { blocks } = await bench.call(writeTool, {
      path: "turn_1/files/n.md",
      channel: "internal",
      content: "[D] use S:1",
    });
    expect(outline(blocks)).toEqual([
      "react.tool.result tc:turn_1.tc_1.result application/json",
      "react.note fi:turn_1.files/n.md text/markdown",
    ]);
    expect(json(blocks[0])).toMatchObject({ visibility: "internal", channel: "internal" });
    expect(blocks[1]?.meta).toMatchObject({ channel: "internal" });
    expect(blocks[1]?.meta).not.toHaveProperty("hosted_uri");
    expect(bench.blobs.size).toBe(0);
    expect(bench.timeline.state.pool.size).toBe(0);
    expect(bench.view("[INTERNAL NOTE]")).toBe("[INTERNAL NOTE]\n[D] use S:1\n\n");
    expect(await onDisk("turn_1/files/n.md")).toBe("[D] use S:1");
    expect(bench.timeline.resolve("fi:turn_1.files/n.md")?.text).toBe("[D] use S:1");
  });

  it("marks a file that was there before as edited", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "one" });
    const { blocks } = await bench.call(writeTool, { path: "turn_1/files/a.md", content: "two" });
    expect(json(blocks[0])).toMatchObject({ edited: true });
    expect(bench.view()).toContain("| edited: true");
    expect(bench.timeline.resolve("fi:turn_1.files/a.md@v1")?.text).toBe("one");
    expect(bench.timeline.state.pool.rows()).toMatchObject([{ sid: 1, text: "two" }]);
  });

  it("writes the file even when it cannot be hosted, and says so", async () => {
    bench.hostingFails = true;
    const { blocks, outcome } = await bench.call(writeTool, { path: "turn_1/files/a.md", content: "one" });
    expect(outcome).toBe("ok");
    expect(json(blocks[0])).toMatchObject({ code: "react.write.hosting_failed" });
    expect(blocks[2]?.meta).not.toHaveProperty("hosted_uri");
    expect(bench.timeline.state.pool.size).toBe(0);
    expect(await onDisk("turn_1/files/a.md")).toBe("one");
  });

  it("reports a write without content as an error and keeps the existing file", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "one" });
    const { blocks, outcome } = await bench.call(writeTool, { path: "turn_1/files/a.md", content: "" });
    expect(outcome).toBe("error");
    expect(outline(blocks)).toEqual([
      "react.notice tc:turn_1.tc_2.notice application/json",
      "react.tool.result tc:turn_1.tc_2.result application/json",
    ]);
    expect(json(blocks[0])).toMatchObject({ code: "tool_result_error" });
    expect(json(blocks[1])).toMatchObject({ size_bytes: 0, error: { code: "file_empty" } });
    expect(await onDisk("turn_1/files/a.md")).toBe("one");
  });

  it("warns of a document that is too small to be valid, and never shows it as a document", async () => {
    const { blocks } = await bench.call(writeTool, { path: "turn_1/files/a.pdf", content: "not a PDF" });
    expect(json(blocks[0])).toMatchObject({ mime: "application/pdf", write_warning: "file_unusually_small" });
    expect(
      bench.timeline
        .render()
        .messages()
        .every((message) => message.type === "text"),
    ).toBe(true);
  });

  it("writes the same text to disk and timeline, whatever the text contains", async () => {
    for (const content of ["a\ud800b", "\r\n\0", "😀".repeat(1_000), "\ufeffx"]) {
      await bench.call(writeTool, { path: "turn_1/files/x.txt", content });
      expect(bench.timeline.resolve("fi:turn_1.files/x.txt")?.text).toBe(await onDisk("turn_1/files/x.txt"));
    }
  });

  it("rejects a path that leaves the workspace", async () => {
    const { blocks, outcome } = await bench.call(writeTool, { path: "../../etc/passwd", content: "x" });
    expect(outcome).toBe("error");
    expect(json(blocks[0])).toMatchObject({
      tool_id: "react.write",
      tool_call_id: "tc_1",
      error: { code: "unsafe_path" },
    });
  });

  it("keeps the file on disk equal to the latest version whichever of two calls settles first", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const path = `turn_1/files/${order.join("")}.md`;
      const calls = [
        await bench.start(writeTool, { path, content: "one" }),
        await bench.start(writeTool, { path, content: "two" }),
      ];
      const outcomes = order.map((which) => calls[which]?.finish().outcome);
      expect(outcomes).toEqual(order[0] === 0 ? ["ok", "ok"] : ["ok", "error"]);
      expect(await onDisk(path)).toBe("two");
      expect(bench.timeline.resolve(`fi:turn_1.files/${order.join("")}.md`)?.text).toBe("two");
    }
  });
});

describe("the call of react.write", () => {
  const shown = (params: unknown) => writeTool.shownParams?.(params, { turnId: "turn_1", callId: "tc_1" });

  it("shows the first hundred characters and the path of the rest", () => {
    expect(shown({ path: "a.md", content: "x".repeat(5_000) })).toEqual({
      path: "a.md",
      content: `${"x".repeat(100)}... [see fi:turn_1.files/a.md]`,
    });
    expect(shown({ path: "a.md", content: "😀".repeat(200) })).toEqual({
      path: "a.md",
      content: `${"😀".repeat(100)}... [see fi:turn_1.files/a.md]`,
    });
  });

  it("shows references and unexpected values unchanged", () => {
    for (const params of [
      { path: "a.md", content: "ref:fi:turn_1.files/b.md" },
      null,
      [],
      3,
      { content: 3 },
      { path: "../x", content: "y" },
    ])
      expect(shown(params)).toEqual(params);
  });
});
