/**
 * Tests the blocks that the tools for reading, hiding and planning write to the timeline, and what the next decision
 * sees of them.
 */
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { defineTool } from "../tool/tool.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

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

  it("of mixed paths leaves the status first, then files and rows in the requested order", async () => {
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
      { reply: callOf("shop.gather", {}) },
      { reply: callOf("react.write", { path: "files/report.md", content: "A report." }) },
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
    // The provider refuses a request as too large, so the prose of the compaction is made in two chunks.
    const part = { text: "Goal: looking." };
    const forgotten = [{ fault: "context_limit" as const }, part, part];
    const played = await playTurn(bench, [...forgotten, callOf("react.read", { paths })]);
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
      unreadable: ["fi:T1.files/board.pptx"],
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

  it("of content that is already in view only says so, and hidden content is appended again", async () => {
    await using bench = await TurnBench.open();
    const path = "fi:{turn}.files/a.md";
    const played = await playTurn(bench, [
      callOf("react.search_files", { name: "*" }),
      callOf("react.write", { path: "{turn}/files/a.md", content: "The content." }),
      callOf("react.read", { paths: [path] }),
      callOf("react.hide", { path, replacement_text: "a file" }),
      callOf("react.read", { paths: [path] }, "Again."),
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
  it("leaves one result, and shows a note instead of the hidden block", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      callOf("react.search_files", { name: "*" }),
      callOf("react.search_files", { name: "*.md" }),
      callOf("react.hide", { path: "tc:{turn}.{call}.result", replacement_text: "no files yet" }, "Tidying."),
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

  it("react.hide that is rejected hides nothing and gives the reason", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      callOf("react.hide", { path: "fi:{turn}.files/no.md", replacement_text: "x" }),
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

  it("leaves snapshots, is updated by lines of the notes, and is announced until it is closed", async () => {
    await using bench = await TurnBench.open();
    const played = await playTurn(bench, [
      callOf("react.plan", { mode: "new", steps }),
      callOf("react.search_files", { name: "*" }, "Found them.\n✓ [1] located\n… 2. drafting\n✓ 9. no such step"),
      callOf("react.plan", { mode: "update", steps: [...steps, "Send it"] }, "✓ [1] located, as before"),
      callOf("react.plan", { mode: "close" }),
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

  it("is also updated by the answer", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: callOf("react.plan", { mode: "new", steps }) },
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

describe("searching the past", () => {
  it("react.memsearch and react.search_files leave one result each, also when they run at the same time", async () => {
    await using bench = await TurnBench.open();
    await playTurn(bench, [callOf("react.write", { path: "{turn}/files/a.md", content: "Green tea." })], "About tea");
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
