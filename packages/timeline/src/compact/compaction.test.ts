import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { deps, types, withTurns } from "../../test/with-turns.ts";
import { finishMaintenance, maintain } from "../maintain.ts";
import { Timeline } from "../timeline.ts";
import { renderChunk, summaryChunks, summaryInstruction } from "./chunks.ts";
import { legalCuts } from "./cut.ts";

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
