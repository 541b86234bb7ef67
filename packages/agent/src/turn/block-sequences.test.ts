/**
 * Tests the blocks that writing tools and custom tools write to the timeline, and what the next decision sees of them.
 */
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, type ToolEnvelope } from "../tool/tool.ts";

describe("react.write", () => {
  it("of a display leaves notes, the call with its content cut, a notice, the digest and the content", async () => {
    await using bench = await TurnBench.open();
    const content = `# Report\n\n${"The finding. ".repeat(20)}`;
    const played = await playTurn(bench, [callOf("react.write", { path: "report.md", content }, "Drafting.")]);
    expect(played.sequence).toEqual([
      "react.notes ar:T1.react.notes.C1",
      "react.tool.call tc:T1.C1.call",
      "react.notice tc:T1.C1.notice",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result fi:T1.files/report.md",
    ]);
    const notes = played.blocks.find(({ type }) => type === "react.notes");
    expect(notes).toMatchObject({
      text: "Drafting.",
      meta: { channel: "timeline_text", tool_call_id: "C1", iteration: 1 },
    });
    const shortened = `${content.slice(0, 100)}... [see fi:T1.files/report.md]`;
    expect(played.contents("react.tool.call tc:T1.C1.call")).toEqual([
      { tool_id: "react.write", tool_call_id: "C1", params: { path: "report.md", content: shortened }, ts: "time" },
    ]);
    expect(played.contents("react.notice tc:T1.C1.notice")).toEqual([
      expect.objectContaining({
        code: "protocol_violation.path_rewritten",
        from: "report.md",
        to: "T1/files/report.md",
      }),
    ]);
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([
      {
        artifact_path: "fi:T1.files/report.md",
        physical_path: "T1/files/report.md",
        mime: "text/markdown",
        kind: "display",
        visibility: "external",
        channel: "canvas",
        size_bytes: content.length,
        tokens: Math.ceil(content.length / 4),
        tool_call_id: "C1",
      },
    ]);
    const file = played.blocks.find(({ path }) => path === "fi:T1.files/report.md");
    expect(file).toMatchObject({
      mime: "text/markdown",
      text: content,
      meta: {
        hosted_uri: expect.any(String),
        rn: expect.any(String),
        key: expect.any(String),
        physical_path: "T1/files/report.md",
        digest: { artifact_path: "fi:T1.files/report.md" },
      },
    });
    expect(played.shown).toContain(
      [
        "[AI Agent say]: Drafting.\n",
        "[TOOL CALL C1].call react.write",
        "tc:T1.C1.call",
        "Params:",
        `${JSON.stringify({ path: "report.md", content: shortened })}\n`,
        "[NOTICE] protocol_violation.path_rewritten: report.md was written to T1/files/report.md: files are written to the current turn.\n",
        "[TOOL RESULT C1].summary react.write",
        "Status: success",
        "Artifacts:",
        `- logical_path: fi:T1.files/report.md | kind: display | visibility: external | size_bytes: ${content.length} | tokens: ${Math.ceil(content.length / 4)}\n`,
        "[TOOL RESULT C1].artifact react.write",
        "logical_path: fi:T1.files/report.md",
        "physical_path: T1/files/report.md",
        content,
      ].join("\n"),
    );
    expect(played.shown).not.toContain("hosted_uri");
    expect(played.shown).toContain("SOURCES POOL (1 source");
  });

  it("of a file is hosted in the same way, states its kind, and gets no notice at its canonical path", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      callOf("react.write", { path: "{turn}/files/data.csv", kind: "file", content: "a,b\n1,2\n" }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.tool.result tc:T1.C1.result",
      "react.tool.result fi:T1.files/data.csv",
    ]);
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([
      expect.objectContaining({ kind: "file", visibility: "external", mime: "text/csv", size_bytes: 8 }),
    ]);
    expect(played.shown).toContain("- logical_path: fi:T1.files/data.csv | kind: file | visibility: external");
  });

  it("of an internal note leaves a react.note, which is neither hosted nor a source", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      callOf("react.write", { path: "{turn}/files/note.md", channel: "internal", content: "[D] Uses two sources" }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.tool.result tc:T1.C1.result",
      "react.note fi:T1.files/note.md",
    ]);
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([
      expect.objectContaining({ visibility: "internal", channel: "internal" }),
    ]);
    const note = played.blocks.find(({ type }) => type === "react.note");
    expect(note?.meta).toMatchObject({ channel: "internal" });
    expect(note?.meta).not.toHaveProperty("hosted_uri");
    expect(played.shown).toContain("[INTERNAL NOTE]\n[D] Uses two sources");
    expect(played.shown).not.toContain("SOURCES POOL");
  });

  it("without content leaves an error and no file", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [callOf("react.write", { path: "{turn}/files/empty.md", content: "" })]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.notice tc:T1.C1.notice",
      "react.tool.result tc:T1.C1.result",
    ]);
    expect(played.contents("react.notice tc:T1.C1.notice")).toEqual([
      expect.objectContaining({ code: "tool_result_error" }),
    ]);
    expect(played.shown).toContain("Status: error file_empty:");
  });
});

describe("react.patch", () => {
  it("leaves the digest, the patched file unseen, the diff and its summary", async () => {
    await using bench = await TurnBench.open();
    await playTurn(bench, [callOf("react.write", { path: "{turn}/files/draft.md", content: "one\ntwo\n" })]);
    const patch = "@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
    const played = await playTurn(bench, [callOf("react.patch", { path: "{first}/files/draft.md", patch })]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T2.C2.call",
      "react.notice tc:T2.C2.notice",
      "react.tool.result tc:T2.C2.result",
      "react.tool.result fi:T2.files/draft.md",
      "react.tool.result tc:T2.C2.result",
      "react.tool.result tc:T2.C2.result",
    ]);
    expect(played.contents("react.notice tc:T2.C2.notice")).toEqual([
      expect.objectContaining({ code: "protocol_violation.path_rewritten", to: "T2/files/draft.md" }),
    ]);
    const [digest, diff, summary] = played.contents("react.tool.result tc:T2.C2.result");
    expect(digest).toMatchObject({ artifact_path: "fi:T2.files/draft.md", edited: true, visibility: "external" });
    expect(diff).toBe(patch);
    expect(summary).toEqual({ path: "T2/files/draft.md", ok: true });
    expect(played.contents("react.tool.result fi:T2.files/draft.md")).toEqual(["one\nthree\n"]);
    expect(played.shown).toContain(`[TOOL RESULT C2].result react.patch\nlogical_path: tc:T2.C2.result\n${patch}`);
    expect(played.shown).toContain('{"path":"T2/files/draft.md","ok":true}');
    expect(played.shown).not.toContain("[TOOL RESULT C2].artifact");
  });

  it("react.patch that does not apply changes nothing", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      callOf("react.write", { path: "{turn}/files/draft.md", content: "one\n" }),
      callOf("react.patch", { path: "{turn}/files/draft.md", patch: "@@ -1,1 +1,1 @@\n-other\n+three\n" }),
    ]);
    expect(played.sequence.slice(3)).toEqual(["react.tool.call tc:T1.C2.call", "react.tool.result tc:T1.C2.result"]);
    expect(played.contents("react.tool.result tc:T1.C2.result")).toEqual([
      {
        tool_id: "react.patch",
        tool_call_id: "C2",
        error: expect.objectContaining({ code: expect.any(String) }),
        ts: "time",
      },
    ]);
  });
});

describe("a custom tool", () => {
  const own = (run: () => Promise<unknown>, timeout?: number) =>
    TurnBench.open({
      agent: {
        tools: [
          defineTool({
            id: "shop.find",
            description: "Finds.",
            params: z.object({ what: z.string() }),
            ...(timeout === undefined ? {} : { timeout }),
            run: () => run() as Promise<ToolEnvelope>,
          }),
        ],
      },
    });
  const find = callOf("shop.find", { what: "tea" }, "Looking.");
  const SEQUENCE = [
    "react.notes ar:T1.react.notes.C1",
    "react.tool.call tc:T1.C1.call",
    "react.tool.result tc:T1.C1.result",
  ];

  it.each([
    ["`ret`", { ok: true, error: null, ret: { found: 1 } }, { found: 1 }],
    ["a text", { ok: true, error: null, ret: "one" }, "one"],
    ["the envelope itself when it has no `ret`", { ok: true, error: null, found: [1, 2] }, { found: [1, 2] }],
  ])("that works leaves %s", async (_, envelope, output) => {
    await using bench = await own(async () => envelope);
    const played = await playTurn(bench, [find]);
    expect(played.sequence).toEqual(SEQUENCE);
    expect(played.contents("react.tool.call tc:T1.C1.call")).toEqual([
      { tool_id: "shop.find", tool_call_id: "C1", params: { what: "tea" }, ts: "time" },
    ]);
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([output]);
    const text = typeof output === "string" ? output : JSON.stringify(output);
    expect(played.shown).toContain(
      [
        "[AI Agent say]: Looking.\n",
        '[TOOL CALL C1].call shop.find\ntc:T1.C1.call\nParams:\n{"what":"tea"}\n',
        `[TOOL RESULT C1].result shop.find\nlogical_path: tc:T1.C1.result\n${text}`,
      ].join("\n"),
    );
  });

  const never = () => new Promise<never>(() => undefined);
  it.each([
    [
      "an error",
      async () => ({ ok: false, error: { code: "sold_out", message: "No tea", where: "x", managed: true } }),
      "sold_out",
    ],
    ["an exception", async () => Promise.reject(new Error("No tea")), "tool_exception"],
    ["too long a run", never, "tool_timeout"],
    ["no envelope", async () => 42, null],
  ])("that fails with %s leaves an error result", async (_, run, code) => {
    await using bench = await own(run, 50);
    const played = await playTurn(bench, [find]);
    expect(played.sequence).toEqual(SEQUENCE);
    const [result] = played.contents("react.tool.result tc:T1.C1.result") as [{ error: { code: string } }];
    expect(result).toMatchObject({ tool_id: "shop.find", tool_call_id: "C1", ts: "time" });
    expect(result.error.code).toBe(code ?? result.error.code);
    expect(result.error).not.toHaveProperty("managed");
    expect(played.shown).toContain(`[TOOL RESULT C1].summary shop.find\nStatus: error ${result.error.code}: `);
    const { state } = await bench.store.load(bench.key);
    expect(state.unsettled.size).toBe(0);
  });
});
