import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { finishMaintenance, maintain } from "../maintain.ts";
import { findActivePlan } from "../state/active-plan.ts";
import { Timeline } from "../timeline.ts";
import { renderChunk, summaryChunks, summaryInstruction } from "./chunks.ts";
import { legalCuts } from "./cut.ts";

/** One token a character: figures below are lengths of rendered texts. */
const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };

function withTurns(count: number, chars: number, extra: (turn: string) => readonly Block[] = () => []): Timeline {
  const timeline = Timeline.create(deps);
  for (let nth = 1; nth <= count; nth++) {
    const turn = `turn_${nth}`;
    timeline.contribute([
      make.header(turn),
      make.prompt(turn, "q".repeat(chars)),
      ...extra(turn),
      make.completion(turn, `answer ${nth}`),
    ]);
  }
  return timeline;
}

const types = (timeline: Timeline) => timeline.state.window.map((entry) => entry.block.type);
const summaryOf = (timeline: Timeline) => timeline.state.window[0]?.block;

describe("a compaction", () => {
  it("happens when tools, system, visible, tail and output exceed nine tenths of the window", () => {
    const timeline = withTurns(10, 500);
    const visible = timeline.visibleTokens();
    const parts = { toolsTokens: 100, systemTokens: 200, tailTokens: 300, maxOutputTokens: 400 };
    const needed = visible + 1_000;
    expect(timeline.planCompaction({ maxTokens: Math.ceil(needed / 0.9), ...parts })).toBeNull();
    expect(timeline.planCompaction({ maxTokens: Math.floor(needed / 0.9) - 1, ...parts })).not.toBeNull();
  });

  it("keeps seven tenths of the room left by the system text", () => {
    const timeline = withTurns(20, 400);
    const turn = timeline.visibleTokens() / 20;
    const plan = timeline.planCompaction({ maxTokens: 16_000, systemTokens: 3_200 }, true);
    expect(plan).not.toBeNull();
    const due = withTurns(40, 400).planCompaction({ maxTokens: 16_000, systemTokens: 3_200 });
    const kept = 40 - (due?.coveredTurns.length ?? 0) - (due?.splitTurn === null ? 0 : 1);
    expect(kept).toBe(Math.floor((0.7 * (16_000 - 3_200)) / turn));
  });

  it("keeps six turns whole even if they begin with a block that no cut may precede", () => {
    const timeline = withTurns(9, 1_000, (turn) => (turn === "turn_3" ? [{ type: "system.message", text: "hi" }] : []));
    const six = timeline.visibleTokens() * (6 / 9);
    expect(timeline.planCompaction({ maxTokens: Math.ceil(six / 0.75) })?.coveredTurns).toEqual([
      "turn_1",
      "turn_2",
      "turn_3",
    ]);
  });

  it("keeps the last six turns whole if they take at most eight tenths", () => {
    const timeline = withTurns(9, 1_000);
    const six = timeline.visibleTokens() * (6 / 9);
    const plan = timeline.planCompaction({ maxTokens: Math.ceil(six / 0.75) });
    expect(plan?.coveredTurns).toEqual(["turn_1", "turn_2", "turn_3"]);
    expect(plan?.splitTurn).toBeNull();
  });

  it("cuts at once when forced, keeping at most half of what is visible", () => {
    const timeline = withTurns(4, 1_000);
    const before = timeline.visibleTokens();
    const plan = timeline.planCompaction({ maxTokens: 1_000_000 }, true);
    const covered = plan?.covered.reduce((sum, entry) => sum + (entry.tokens ?? 0), 0) ?? 0;
    expect(before - covered).toBeLessThanOrEqual(before / 2);
    expect(withTurns(1, 10).planCompaction({ maxTokens: 1_000_000 }, true)).not.toBeNull();
    expect(maintain(withTurns(4, 1_000), { forceCompaction: true }).compaction).not.toBeNull();
    expect(Timeline.create(deps).planCompaction({ maxTokens: 10 }, true)).toBeNull();
  });
});

describe("a cut", () => {
  it("comes only before a header, a prompt, an answer, or a call with its notes and code", () => {
    const at = { turn: "turn_1", call: "c1" };
    const timeline = withTurns(1, 5, () => [
      ...make.attachment("turn_1", { name: "a.txt", mime: "text/plain" }),
      make.notes(at, "n"),
      make.code(at, "print()"),
      make.call(at, "exec_tools.execute_code_python", {}),
      make.notice(at, "x", "y"),
      make.result(at, "r", "text/plain"),
    ]);
    const cuts = legalCuts(timeline.state.window).map((index) => types(timeline)[index]);
    expect(cuts).toEqual(["react.notes", "assistant.completion"]);
  });

  it("may come before the header and the prompt of a later turn", () => {
    const timeline = withTurns(2, 5);
    const cuts = legalCuts(timeline.state.window).map((index) => timeline.state.window[index]?.block);
    expect(cuts.map((block) => `${block?.turn_id} ${block?.type}`)).toEqual([
      "turn_1 assistant.completion",
      "turn_2 turn.header",
      "turn_2 user.prompt",
      "turn_2 assistant.completion",
    ]);
  });

  it("never falls between interleaved calls and their results", () => {
    const [a, b] = [
      { turn: "turn_1", call: "a" },
      { turn: "turn_1", call: "b" },
    ];
    const timeline = withTurns(1, 5, () => [
      make.call(a, "x", {}),
      make.call(b, "x", {}),
      make.result(b, "1"),
      make.result(a, "2"),
    ]);
    const cuts = legalCuts(timeline.state.window);
    expect(cuts.map((index) => timeline.state.window[index]?.block.path)).toEqual([
      "tc:turn_1.a.call",
      "ar:turn_1.assistant.completion",
    ]);
  });
});

describe("a summary", () => {
  const compacted = (timeline: Timeline, prose: string | null = "Goal: eat well.") => {
    const plan = timeline.planCompaction({ maxTokens: 20_000 }, true);
    if (plan === null) throw new Error("nothing to cut");
    return { plan, report: timeline.commitCompaction(plan, { summary: prose, prefix: "Asked twice." }) };
  };

  it("is placed at the cut with the digest first and the prose second, and names the blocks it covers", () => {
    const timeline = withTurns(4, 500);
    const { report } = compacted(timeline);
    const summary = summaryOf(timeline);
    expect(summary).toMatchObject({ type: "conv.range.summary", path: "su:turn_4.conv.range.summary" });
    const text = summary?.text ?? "";
    expect(text.indexOf("ar:turn_1.user.prompt")).toBeLessThan(text.indexOf("Goal: eat well."));
    expect(report.before_tokens - report.after_tokens).toBe(report.compacted_tokens);
    expect(report.after_tokens).toBe(timeline.visibleTokens());
    const { before_tokens, after_tokens } = report;
    const committed = timeline.takeEvents().find(({ kind }) => kind === "compaction.committed");
    expect(committed?.body).toMatchObject({ before_tokens, after_tokens });
    expect(timeline.payload().blocks[0]).toBe(summary);
    expect(timeline.payload().turn_ids).toEqual(["turn_1", "turn_2", "turn_3", "turn_4"]);
  });

  it("summarises the beginning of a split turn separately", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "q".repeat(3_000))]);
    const at = { turn: "turn_1", call: "c" };
    timeline.contribute([make.call(at, "x", {}), make.result(at, "r".repeat(400))]);
    compacted(timeline);
    expect(summaryOf(timeline)?.meta).toMatchObject({ covered_turn_ids: [], split_turn_id: "turn_1" });
    expect(summaryOf(timeline)?.text).toContain("**Turn Context (split turn):**\nAsked twice.");
  });

  it("is the digest alone without a model, and stays within a tenth of the window", () => {
    const timeline = withTurns(60, 300, (turn) =>
      make.file({ turn, call: `c-${turn}` }, { name: "f.md", mime: "text/markdown", text: "x" }),
    );
    compacted(timeline, null);
    expect(summaryOf(timeline)?.text?.length).toBeLessThanOrEqual(2_000);
    compacted(timeline, "p".repeat(50_000));
    expect(summaryOf(timeline)?.text?.length).toBeLessThanOrEqual(2_000);
  });

  it("returns its whole digest when it is read by its path", () => {
    const timeline = withTurns(60, 300);
    const { plan } = compacted(timeline, null);
    expect(summaryOf(timeline)?.text).not.toContain("ar:turn_1.user.prompt");
    const read = timeline.resolve("su:turn_60.conv.range.summary")?.text ?? "";
    for (const turn of plan.coveredTurns) expect(read).toContain(`ar:${turn}.user.prompt`);
  });

  it("absorbs an earlier summary: one remains, turns are unions, both versions keep their path", () => {
    const timeline = withTurns(8, 500);
    compacted(timeline);
    const first = timeline.takeEvents().find((event) => event.kind === "compaction.committed");
    compacted(timeline, "Goal: later.");
    expect(types(timeline).filter((type) => type === "conv.range.summary")).toHaveLength(1);
    const second = timeline.takeEvents().find((event) => event.kind === "compaction.committed");
    expect([first, second].map((event) => (event?.body as { version: number } | undefined)?.version)).toEqual([1, 2]);
    const covered = summaryOf(timeline)?.meta?.covered_turn_ids as string[];
    expect(covered.slice(0, 3)).toEqual(["turn_1", "turn_2", "turn_3"]);
    expect(new Set(covered).size).toBe(covered.length);
  });

  it("drops no directive, and shows them before anything else", () => {
    const timeline = Timeline.create(deps);
    for (let nth = 1; nth <= 30; nth++) {
      const wish =
        nth <= 10
          ? `Never suggest number ${nth}, whatever anybody else may say about how good it is supposed to be.`
          : "Go on.";
      timeline.contribute([
        make.header(`turn_${nth}`),
        make.prompt(`turn_${nth}`, wish),
        make.completion(`turn_${nth}`, "x".repeat(900)),
      ]);
    }
    const plan = timeline.planCompaction({ maxTokens: 30_000 });
    if (plan === null) throw new Error("nothing to cut");
    timeline.commitCompaction(plan, { summary: "p".repeat(5_000), prefix: null });
    for (let nth = 1; nth <= 10; nth++) expect(summaryOf(timeline)?.text).toContain(`Never suggest number ${nth},`);
  });

  it("keeps the union of its digests, and carries earlier prose on when there is no new one", () => {
    const timeline = withTurns(12, 400, (turn) =>
      make.file({ turn, call: `c-${turn}` }, { name: "f.md", mime: "text/markdown", text: "x" }),
    );
    compacted(timeline, "MARKER ONE");
    const listed = () => {
      const digest = summaryOf(timeline)?.meta?.compaction_digest as { artifacts: unknown[] } | undefined;
      return digest?.artifacts.length ?? 0;
    };
    const first = listed();
    compacted(timeline, null);
    expect(listed()).toBeGreaterThan(first);
    expect(summaryOf(timeline)?.text).toContain("MARKER ONE");
    expect(summaryOf(timeline)?.text).toContain("su:turn_12.conv.range.summary@v1");
  });

  it("loses nothing of a summary that was written without a digest", () => {
    const timeline = Timeline.create(deps);
    const old = {
      type: "conv.range.summary",
      turn_id: "turn_0",
      path: "su:turn_0.conv.range.summary",
      text: "They like apples.",
    };
    timeline.contribute([{ ...old, meta: { covered_turn_ids: ["turn_0"] } }]);
    for (let nth = 1; nth <= 6; nth++)
      timeline.contribute([
        make.header(`turn_${nth}`),
        make.prompt(`turn_${nth}`, "q".repeat(600)),
        make.completion(`turn_${nth}`, "a"),
      ]);
    compacted(timeline, null);
    expect(summaryOf(timeline)?.text).toContain("They like apples.");
    expect(summaryOf(timeline)?.text).toContain("su:turn_0.conv.range.summary@v1");
    expect(summaryOf(timeline)?.meta?.covered_turn_ids).toContain("turn_0");
  });

  it("keeps an open plan announced, and a closed one closed", () => {
    const plan = (status: object, closed?: true) => ({
      plan_id: "p",
      steps: ["find", "draft"],
      status,
      ...(closed ? { closed } : {}),
    });
    const snapshot = (turn: string, value: object): Block => ({
      type: "react.plan",
      turn_id: turn,
      path: `ar:${turn}.react.plan.p`,
      text: JSON.stringify(value),
    });
    const timeline = withTurns(4, 500, (turn) => (turn === "turn_1" ? [snapshot(turn, plan({ "1": "done" }))] : []));
    compacted(timeline);
    expect(findActivePlan(timeline.state)).toMatchObject({ plan_id: "p", status: { "1": "done" } });
    timeline.contribute([snapshot("turn_5", plan({}, true))]);
    expect(findActivePlan(timeline.state)).toBeNull();
    timeline.contribute([
      make.header("turn_6"),
      make.prompt("turn_6", "q".repeat(3_000)),
      make.completion("turn_6", "a"),
    ]);
    compacted(timeline);
    expect(findActivePlan(timeline.state)).toBeNull();
  });

  it("keeps directives word for word, notes, hidden blocks with their note, searches, files and cited sources", () => {
    const at = { turn: "turn_1", call: "s1" };
    const timeline = Timeline.create(deps);
    timeline.mergeSources([1, 2, 3].map((n) => ({ url: `https://example.com/${n}` })));
    timeline.contribute([
      make.header("turn_1"),
      make.prompt("turn_1", "Find food. Never suggest chains. Thanks."),
      ...make.search(at, "food wuppertal", [1, 2, 3], "1-3"),
      { type: "react.note", turn_id: "turn_1", text: "[D] use TheFork" },
      ...make.file(
        { turn: "turn_1", call: "w1" },
        { name: "list.md", mime: "text/markdown", text: "x", extra: { sources_used: [2] } },
      ),
    ]);
    timeline.hide({ paths: ["fi:turn_1.files/list.md"], replacement: "the list" });
    timeline.contribute([
      make.completion("turn_1", "See [[S:1]]."),
      make.header("turn_2"),
      make.prompt("turn_2", "q".repeat(900)),
    ]);
    compacted(timeline, null);
    const text = summaryOf(timeline)?.text ?? "";
    for (const kept of [
      "Never suggest chains.",
      "[D] use TheFork",
      "fi:turn_1.files/list.md: the list",
      '"food wuppertal"',
      "so:sources_pool[1-2]",
      "tc:turn_1.s1.result",
    ])
      expect(text).toContain(kept);
    expect(summaryOf(timeline)?.meta?.compaction_digest).toMatchObject({
      artifacts: [
        {
          path: "fi:turn_1.files/list.md",
          version: 1,
          mime: "text/markdown",
          visibility: "external",
          sources_used: [2],
        },
      ],
      cited_sids: [1, 2],
    });
  });

  it("lists the sources that the latest version of a file cites, which may be none", () => {
    const timeline = Timeline.create(deps);
    timeline.mergeSources([1, 2, 3].map((n) => ({ url: `https://example.com/${n}` })));
    const write = (call: string, name: string, extra: Readonly<Record<string, unknown>>) => {
      const at = { turn: "turn_1", call };
      timeline.contribute([
        make.call(at, "react.write", {}),
        ...make.file(at, { name, mime: "text/markdown", text: call, extra }),
      ]);
    };
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Write.")]);
    write("w1", "dropped.md", { sources_used: [1] });
    write("w2", "dropped.md", {});
    write("w3", "other.md", { sources_used: [1, 2] });
    write("w4", "other.md", { sources_used: [3] });
    // Reading describes what is there.
    const read = { turn: "turn_1", call: "r1" };
    timeline.contribute([
      make.call(read, "react.read", {}),
      make.result(read, "{}"),
      make.digest(read, { artifact_path: "fi:turn_1.files/other.md", mime: "text/markdown" }),
    ]);
    timeline.contribute([
      make.completion("turn_1", "Done."),
      make.header("turn_2"),
      make.prompt("turn_2", "q".repeat(900)),
    ]);
    compacted(timeline, null);
    expect(summaryOf(timeline)?.meta?.compaction_digest).toMatchObject({
      artifacts: [
        { path: "fi:turn_1.files/dropped.md", version: 2, sources_used: [] },
        { path: "fi:turn_1.files/other.md", version: 2, sources_used: [3] },
      ],
      cited_sids: [3],
    });
  });
});

describe("maintenance before a request", () => {
  it("prunes first, and compacts if the rest is still too large and the prose is available", () => {
    const timeline = withTurns(14, 6_000);
    timeline.setMeta({ cache_last_touch_at: 0 });
    timeline.takeEvents();
    const maintenance = maintain(timeline, { prune: { now: 9_000 }, budget: { maxTokens: 60_000 } });
    const kinds = () => timeline.takeEvents().map((event) => event.kind);
    expect(kinds()).toEqual(["blocks.pruned", "meta.set", "block.appended"]);
    expect(maintenance.resets).toEqual([{ cause: "ttl_prune", blocks: 4 }]);
    expect(maintenance.compaction?.coveredTurns.length).toBeGreaterThan(0);
    const { resets } = finishMaintenance(timeline, maintenance, { summary: "Goal: x", prefix: null });
    expect(resets.map(({ cause }) => cause)).toEqual(["ttl_prune", "compaction"]);
    expect(kinds()).toEqual(["compaction.committed"]);
  });
});

describe("the token count of the visible blocks", () => {
  it("includes the errors of calls that never settled", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Go")]);
    for (let i = 0; i < 20; i++)
      timeline.contribute([make.call({ turn: "turn_1", call: `c${i}`, iteration: i }, "x", {})]);
    const shown = timeline.render().messages().slice(0, timeline.render().stableLength);
    const chars = shown.reduce((sum, message) => sum + (message.type === "text" ? message.text.length : 0), 0);
    expect(timeline.visibleTokens()).toBe(chars);
  });
});

describe("a request that cannot fit", () => {
  it("is refused, and the error names the block that is too large", () => {
    const timeline = Timeline.create(deps);
    timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "q".repeat(5_000))]);
    expect(() => timeline.checkFits({ maxTokens: 2_000 })).toThrow(
      expect.objectContaining({
        code: "context_too_small",
        details: expect.objectContaining({ block: "ar:turn_1.user.prompt" }),
      }),
    );
  });
});

describe("the input of the summariser", () => {
  it("is a chunk of texts that fit, the largest ones cut, after the summary of the earlier chunks", () => {
    const timeline = withTurns(2, 5_000, (turn) => [
      make.call({ turn, call: turn }, "x", {}),
      make.result({ turn, call: turn }, "r".repeat(90)),
    ]);
    const entries = timeline.planCompaction({ maxTokens: 100_000 }, true)?.covered ?? [];
    const texts = renderChunk(entries, "Goal: before.", 2_000, deps.countTokens)
      .messages()
      .map((message) => (message.type === "text" ? message.text : ""));
    expect(texts[0]).toBe("[SUMMARY OF THE PARTS BEFORE]\nGoal: before.\n\n");
    expect(texts.join("").length).toBeLessThanOrEqual(2_000);
    expect(texts.join("")).toContain("r".repeat(90));
    expect(texts.filter((text) => text.endsWith("… [cut]\n\n"))).toHaveLength(1);
  });

  it("is split into chunks that fit and keep each round whole", () => {
    const timeline = withTurns(6, 500, (turn) => [
      make.call({ turn, call: turn }, "x", {}),
      make.result({ turn, call: turn }, "r".repeat(200)),
    ]);
    const plan = timeline.planCompaction({ maxTokens: 100_000 }, true);
    const chunks = summaryChunks(plan?.covered ?? [], 1_500, deps.countTokens);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.flat()).toEqual(plan?.covered);
    for (const chunk of chunks) {
      const called = new Set(chunk.filter((e) => e.block.type === "react.tool.call").map((e) => e.callId));
      expect(chunk.every((e) => e.callId === null || called.has(e.callId))).toBe(true);
    }
  });

  it("is one instruction after the conversation's own prefix", () => {
    const plan = withTurns(4, 500).planCompaction({ maxTokens: 100_000 }, true);
    expect(plan && summaryInstruction(plan)).toContain(
      "Goal, Constraints, Progress, Decisions, Next Steps, Critical Context",
    );
  });
});
