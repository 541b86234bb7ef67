/** What each tool leaves on the timeline, and what the next decision is shown of it, over the wire. */
import { playTurn, TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { defineTool, type ToolEnvelope } from "../tool/tool.ts";

const call = (tool: string, input: Record<string, unknown>, text?: string) => ({
  ...(text === undefined ? {} : { text }),
  calls: [{ name: tool.replaceAll(".", "__"), input: input as never }],
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("react.write", () => {
  it("of a display leaves notes, the call with its content cut, a notice, the digest and the content", async () => {
    await using bench = await TurnBench.open();
    const content = `# Report\n\n${"The finding. ".repeat(20)}[[S:1]]`;
    const played = await playTurn(bench, [call("react.write", { path: "report.md", content }, "Drafting.")]);
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
        sources_used: [1],
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
        `- logical_path: fi:T1.files/report.md | kind: display | visibility: external | size_bytes: ${content.length} | tokens: ${Math.ceil(content.length / 4)} | sources_used: [1]\n`,
        "[TOOL RESULT C1].artifact react.write",
        "logical_path: fi:T1.files/report.md",
        "physical_path: T1/files/report.md",
        content,
      ].join("\n"),
    );
    expect(played.shown).not.toContain("hosted_uri");
    expect(played.shown).toContain("SOURCES POOL (1 source");
  });

  it("of a file is hosted alike, says so by its kind, and gets no notice at its canonical path", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      call("react.write", { path: "{turn}/files/data.csv", kind: "file", content: "a,b\n1,2\n" }),
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
      call("react.write", { path: "{turn}/files/note.md", channel: "internal", content: "[D] Uses two sources" }),
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

  it("of nothing leaves an error and no file", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [call("react.write", { path: "{turn}/files/empty.md", content: "" })]);
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
    await playTurn(bench, [call("react.write", { path: "{turn}/files/draft.md", content: "one\ntwo\n" })]);
    const patch = "@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
    const played = await playTurn(bench, [call("react.patch", { path: "{first}/files/draft.md", patch })]);
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

  it("that does not fit changes nothing", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      call("react.write", { path: "{turn}/files/draft.md", content: "one\n" }),
      call("react.patch", { path: "{turn}/files/draft.md", patch: "@@ -1,1 +1,1 @@\n-other\n+three\n" }),
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

describe("react.read", () => {
  /** Puts a page into the pool, and a presentation into the turn's files. */
  const gather = defineTool({
    id: "shop.gather",
    description: "Gathers.",
    params: z.object({}),
    run: async (_, { turnId, workspace }) => {
      const board = `${turnId}/files/board.pptx`;
      await workspace.write(board, Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0));
      return (scribe) => {
        scribe.mergeSources([
          { source_type: "web", url: "https://example.com/2", title: "A page", content: "Full text of the page." },
        ]);
        const path = `fi:${turnId}.files/board.pptx`;
        const digest = { artifact_path: path, physical_path: board, kind: "file", visibility: "external" };
        scribe.digest(digest);
        const mime = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
        scribe.content(path, { mime, meta: { physical_path: board, digest } });
      };
    },
  });

  it("of mixed paths leaves the status first, then files and rows in order", async () => {
    await using bench = await TurnBench.open({ agent: { tools: [...reactTools(), gather] } });
    const attach = async (name: string, mime: string, bytes: Uint8Array) => {
      const { ref } = await bench.store.putBlob(bench.key, [bytes]);
      return { name, mime, blob: ref, size_bytes: bytes.length };
    };
    const attachments = [
      await attach("notes.txt", "text/plain", Buffer.from("first line\nsecond line\n")),
      await attach("image.png", "image/png", PNG),
    ];
    const input = { key: "attached", mode: "turn" as const, message: "Look.", attachments, ts: "2026-02-09T10:00:00Z" };
    await bench.append(makeEvent("input.received", input));
    bench.simulator.script([
      { reply: call("shop.gather", {}) },
      { reply: call("react.write", { path: "files/report.md", content: "A report." }) },
      { reply: { text: "Gathered. ".repeat(1_200) } },
    ]);
    await bench.run();
    const { state } = await bench.store.load(bench.key);
    const [first = ""] = state.turnIds;
    const row = state.pool.rows().find(({ title }) => title === "report.md")?.sid;
    const page = state.pool.rows().find(({ title }) => title === "A page")?.sid;
    const paths = [
      `so:sources_pool[${row},${page}]`,
      `fi:${first}.user.attachments/notes.txt`,
      `fi:${first}.user.attachments/image.png`,
      `fi:${first}.files/board.pptx`,
      `fi:${first}.files/none.md`,
      "sk:none",
    ];
    const forgotten = [{ fault: "context_limit" as const }, { text: "Goal: looking." }];
    const played = await playTurn(bench, [...forgotten, call("react.read", { paths })]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T2.C3.call",
      "react.tool.result tc:T2.C3.result",
      "react.tool.result tc:T2.C3.result",
      "react.tool.result fi:T1.files/report.md",
      `react.tool.result so:sources_pool[${page}]`,
      "react.tool.result tc:T2.C3.result",
      "react.tool.result fi:T1.user.attachments/notes.txt",
      "react.tool.result tc:T2.C3.result",
      "react.tool.result fi:T1.user.attachments/image.png",
      "react.tool.result tc:T2.C3.result",
      "react.tool.result fi:T1.files/board.pptx",
    ]);
    const [status] = played.contents("react.tool.result tc:T2.C3.result");
    expect(status).toMatchObject({
      missing: ["fi:T1.files/none.md"],
      missing_skills: ["sk:none"],
      exists_in_visible_context: [],
      total_tokens: expect.any(Number),
    });
    const board = played.blocks.find(({ path }) => path === "fi:T1.files/board.pptx");
    expect(board).not.toHaveProperty("text");
    expect(board).not.toHaveProperty("base64");
    for (const seen of ["[S:3] A page\nhttps://example.com/2\n\nFull text of the page.", "first line\nsecond line\n"])
      expect(played.shown).toContain(seen);
    expect(played.shown).not.toContain("[TOOL RESULT C3].artifact react.read\nlogical_path: fi:T1.files/board.pptx");
    const parts = JSON.stringify(bench.simulator.requests.at(-1)?.body);
    expect(parts).toContain(PNG.toString("base64"));
  });

  it("of what is in view already only says so, and brings back what was hidden", async () => {
    await using bench = await TurnBench.open();
    const path = "fi:{turn}.files/a.md";
    const played = await playTurn(bench, [
      call("react.search_files", { name: "*" }),
      call("react.write", { path: "{turn}/files/a.md", content: "The content." }),
      call("react.read", { paths: [path] }),
      call("react.hide", { path, replacement_text: "a file" }),
      call("react.read", { paths: [path] }, "Again."),
    ]);
    expect(played.sequence.slice(5)).toEqual([
      "react.tool.call tc:T1.C3.call",
      "react.tool.result tc:T1.C3.result",
      "react.tool.call tc:T1.C4.call",
      "react.tool.result tc:T1.C4.result",
      "react.notes ar:T1.react.notes.C5",
      "react.tool.call tc:T1.C5.call",
      "react.tool.result tc:T1.C5.result",
      "react.tool.result tc:T1.C5.result",
      "react.tool.result fi:T1.files/a.md",
    ]);
    expect(played.contents("react.tool.result tc:T1.C3.result")).toEqual([
      expect.objectContaining({ exists_in_visible_context: ["fi:T1.files/a.md"], total_tokens: 0 }),
    ]);
    expect(played.shown).toContain("HIDDEN — a file. Retrieve with react.read(fi:T1.files/a.md)");
    expect(played.shown.split("The content.\n")).toHaveLength(2);
  });
});

describe("react.hide", () => {
  it("leaves one result, and a note in the place of what it hides", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      call("react.search_files", { name: "*" }),
      call("react.search_files", { name: "*.md" }),
      call("react.hide", { path: "tc:{turn}.{call}.result", replacement_text: "no files yet" }, "Tidying."),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.tool.result tc:T1.C1.result",
      "react.tool.call tc:T1.C2.call",
      "react.tool.result tc:T1.C2.result",
      "react.notes ar:T1.react.notes.C3",
      "react.tool.call tc:T1.C3.call",
      "react.tool.result tc:T1.C3.result",
    ]);
    expect(played.contents("react.tool.result tc:T1.C3.result")).toEqual([
      { status: "ok", paths: ["tc:T1.C2.result"], blocks_hidden: 1, tokens_hidden: expect.any(Number) },
    ]);
    expect(played.shown).toContain("HIDDEN — no files yet. Retrieve with react.read(tc:T1.C2.result)");
    const { state } = await bench.store.load(bench.key);
    expect(state.lastReceipt?.resets).toEqual([expect.objectContaining({ cause: "hide" })]);
  });

  it("that is refused hides nothing and says why", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      call("react.hide", { path: "fi:{turn}.files/no.md", replacement_text: "x" }),
    ]);
    expect(played.sequence).toEqual(["react.tool.call tc:T1.C1.call", "react.tool.result tc:T1.C1.result"]);
    expect(played.contents("react.tool.result tc:T1.C1.result")).toEqual([
      expect.objectContaining({ error: expect.objectContaining({ code: "not_found" }) }),
    ]);
    expect(played.shown).toContain("[TOOL RESULT C1].summary react.hide\nStatus: error not_found:");
  });
});

describe("react.plan", () => {
  const steps = ["Locate sources", "Draft report"];

  it("leaves snapshots, moves on by lines of the notes, and is announced until it is closed", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      call("react.plan", { mode: "new", steps }),
      call("react.search_files", { name: "*" }, "Found them.\n✓ [1] located\n… 2. drafting\n✓ 9. no such step"),
      call("react.plan", { mode: "update", steps: [...steps, "Send it"] }, "✓ [1] located, as before"),
      call("react.plan", { mode: "close" }),
    ]);
    expect(played.sequence).toEqual([
      "react.tool.call tc:T1.C1.call",
      "react.plan ar:T1.react.plan.plan_C1",
      "react.tool.result tc:T1.C1.result",
      "react.notes ar:T1.react.notes.C2",
      "react.plan.ack ar:T1.react.plan.ack.2",
      "react.plan ar:T1.react.plan.plan_C1",
      "react.tool.call tc:T1.C2.call",
      "react.tool.result tc:T1.C2.result",
      "react.notes ar:T1.react.notes.C3",
      "react.tool.call tc:T1.C3.call",
      "react.plan ar:T1.react.plan.plan_C1",
      "react.tool.result tc:T1.C3.result",
      "react.tool.call tc:T1.C4.call",
      "react.plan ar:T1.react.plan.plan_C1",
      "react.tool.result tc:T1.C4.result",
    ]);
    expect(played.contents("react.plan ar:T1.react.plan.plan_C1")).toMatchObject([
      { plan_id: "plan_C1", steps, created_ts: "time" },
      { steps, status: { 1: "done", 2: "in_progress" }, last_ts: "time" },
      { steps: [...steps, "Send it"], status: { 1: "done", 2: "in_progress" } },
      { closed: true },
    ]);
    const [ack] = played.blocks.filter(({ type }) => type === "react.plan.ack");
    expect(ack).toMatchObject({
      mime: "text/markdown",
      text: "✓ 1. Locate sources\n… 2. Draft report",
      meta: { tool_call_id: "C2", iteration: 2 },
    });
    expect(played.shown).toContain("[REACT.PLAN]\nid=plan_C1\n✓ 1) Locate sources\n… 2) Draft report");
    const announced = bench.simulator.requests.map(({ request }) => request?.lastText.split("[ANNOUNCE]").at(-1));
    expect(announced.map((text) => text?.includes("Draft report"))).toEqual([false, true, true, true, false]);
  });

  it("is moved on by the answer, too", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: call("react.plan", { mode: "new", steps }) },
      { reply: { text: "✓ 1) found\nMore?" } },
    ]);
    await bench.turn("Plan it");
    expect((await bench.types()).slice(-4)).toEqual([
      "react.plan.ack",
      "react.plan",
      "assistant.completion",
      "react.exit",
    ]);
  });
});

describe("looking back", () => {
  it("react.memsearch and react.search_files leave one result each, when they run at the same time, too", async () => {
    await using bench = await TurnBench.open();
    await playTurn(bench, [call("react.write", { path: "{turn}/files/a.md", content: "Green tea." })], "About tea");
    const played = await playTurn(bench, [
      {
        text: "Looking back.",
        calls: [
          { name: "react__memsearch", input: { query: "tea" } },
          { name: "react__search_files", input: { name: "*.md", text: "green" } },
        ],
      },
    ]);
    expect(played.sequence.slice(0, 3)).toEqual([
      "react.notes ar:T2.react.notes.C2",
      "react.tool.call tc:T2.C2.call",
      "react.tool.call tc:T2.C3.call",
    ]);
    expect(played.sequence.slice(3).sort()).toEqual([
      "react.tool.result tc:T2.C2.result",
      "react.tool.result tc:T2.C3.result",
    ]);
    const [found] = played.contents("react.tool.result tc:T2.C2.result") as [{ hits: { path: string }[] }];
    expect(found.hits.map(({ path }) => path)).toContain("ar:T1.user.prompt");
    expect(played.contents("react.tool.result tc:T2.C3.result")).toEqual([
      {
        files: [
          {
            path: "fi:T1.files/a.md",
            physical_path: "T1/files/a.md",
            size_bytes: 10,
            matches: [{ line: 1, text: "Green tea." }],
          },
        ],
      },
    ]);
    for (const id of ["C2", "C3"]) expect(played.shown).toContain(`[TOOL RESULT ${id}].result react.`);
    const iterations = played.blocks.flatMap(({ meta }) => meta?.iteration ?? []);
    expect(new Set(iterations)).toEqual(new Set([1]));
  });
});

describe("a tool of one's own", () => {
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
  const find = call("shop.find", { what: "tea" }, "Looking.");
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
