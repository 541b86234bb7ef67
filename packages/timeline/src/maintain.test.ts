/** Tests what maintenance learns from a conversation's own past, and that a restart changes none of it. */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { PROVIDERS } from "./cache/providers.ts";
import { decodeEvent, encodeEvent } from "./event/codec.ts";
import type { TimelineEvent } from "./event/event.ts";
import { finishMaintenance, maintain, maintainClosedTurn } from "./maintain.ts";
import { restoreState, snapshotState } from "./state/snapshot.ts";
import { Timeline, type TimelineDeps } from "./timeline.ts";

const deps: TimelineDeps = { clock: { now: () => 0 }, countTokens: (text) => Math.ceil(text.length / 4) };
const cache = { rules: PROVIDERS.anthropic, ttl: "auto" } as const;
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** A conversation whose turns have one fetch and two requests each, after a pause. */
class Talk {
  timeline = Timeline.create(deps);
  readonly journal: TimelineEvent[] = [];
  now = 1_000;
  #nth = 0;

  turn(pause: number, chars = 6_000, usage?: number): string {
    const turn = `turn_${++this.#nth}`;
    const at = { turn, call: `tc_${this.#nth}`, iteration: 1 };
    this.now += pause;
    this.timeline.openTurn(turn);
    this.timeline.contribute([make.prompt(turn, "Go on.")]);
    this.request(turn, usage);
    this.timeline.contribute([
      make.call(at, "x.look", {}),
      make.result(at, JSON.stringify({ text: "a".repeat(chars) })),
    ]);
    this.now += 10;
    this.request(turn, usage);
    this.timeline.contribute([make.completion(turn, "Done.")]);
    this.timeline.closeTurn("complete");
    maintainClosedTurn(this.timeline, turn, { now: this.now, cache, policy: "economic" });
    this.journal.push(...this.timeline.takeEvents());
    return turn;
  }

  request(turn: string, reported = 0): void {
    const tokens = { tools: 0, system: 0, stable: 100, tail: 0 };
    const usage = { input_tokens: reported, cache_read_tokens: 0, cache_write_tokens: 0, output_tokens: 0 };
    finishMaintenance(this.timeline, this.maintenance(turn));
    this.timeline.record("model.receipt", { started_at: this.now, turn_id: turn, model: "m", tokens, usage });
  }

  maintenance(turn: string, forceCompaction = false) {
    const prune = { now: this.now, firstRender: true, policy: "economic" as const, turnId: turn };
    return maintain(this.timeline, {
      prune,
      cache,
      model: { id: "m" },
      budget: { maxTokens: 80_000, maxOutputTokens: 800 },
      forceCompaction,
    });
  }

  /** The same conversation in another process, from its journal or from a snapshot. */
  reloaded(from: "journal" | "snapshot"): Talk {
    const talk = new Talk();
    const { state } = this.timeline;
    talk.timeline =
      from === "journal"
        ? Timeline.fromEvents(
            this.journal.map((event) => decodeEvent(throughJson(encodeEvent(event)))),
            deps,
          )
        : Timeline.fromState(restoreState(throughJson(snapshotState(state))), deps);
    talk.now = this.now;
    return talk;
  }
}

describe("the TTL of a request", () => {
  it("is an hour once the user comes back after five minutes to an hour", () => {
    const talk = new Talk();
    for (let nth = 0; nth < 8; nth++) talk.turn(60, 200);
    talk.now += 60;
    expect(talk.maintenance("next").ttl).toBe("5m");
    talk.now += 1_200;
    expect(talk.maintenance("next").ttl).toBe("1h");
    // An equal wait inside a turn counts as a pause too, because a call may take as long as a user's reply.
    expect(talk.maintenance("turn_8").ttl).toBe("1h");
  });

  it("follows the history that a compaction leaves, and a process that takes over afterwards chooses the same", () => {
    const talk = new Talk();
    for (let nth = 0; nth < 8; nth++) talk.turn(60, 200);
    talk.now += 1_260;
    talk.timeline.openTurn("turn_9");
    talk.timeline.contribute([make.prompt("turn_9", "Go on.")]);
    const planned = talk.maintenance("turn_9", true);
    expect(planned.ttl).toBe("1h");
    expect(finishMaintenance(talk.timeline, planned).ttl).toBe("5m");
    expect(talk.timeline.state.meta.cache_last_ttl_seconds).toBe(300);
    talk.journal.push(...talk.timeline.takeEvents());
    expect(talk.reloaded("journal").maintenance("turn_9").ttl).toBe("5m");
  });

  it("is the value that the caller sets, if any", () => {
    const talk = new Talk();
    talk.turn(60);
    const needs = { prune: { now: talk.now + 9_999 }, cache: { rules: PROVIDERS.anthropic, ttl: "1h" as const } };
    expect(maintain(talk.timeline, needs).ttl).toBe("1h");
    expect(talk.timeline.state.meta.cache_last_ttl_seconds).toBe(3_600);
  });
});

describe("the end of a turn", () => {
  it("removes large results from view, and keeps more of them if many were read again", () => {
    const talk = new Talk();
    const turn = talk.turn(60);
    const pruned = () => talk.timeline.state.window.filter(({ overlay }) => overlay?.by === "policy").length;
    expect(pruned()).toBe(1);
    const { past } = talk.timeline.state;
    expect(past.prunedTokens).toBeGreaterThan(1_400);
    expect(past.readAgainTokens).toBe(0);
    const path = `tc:${turn}.tc_1.result`;
    const at = { turn: "turn_9", call: "tc_9", iteration: 1 };
    const copy = make.blockOf(at, "react.tool.result", path, { mime: "text/plain", text: "a".repeat(6_000) });
    talk.timeline.contribute([make.call(at, "react.read", { paths: [path] }), copy]);
    expect(past.readAgainTokens).toBeGreaterThan(1_400);
    const other = { ...at, call: "tc_10" };
    talk.timeline.contribute([make.call(other, "x.look", {}), make.result(other, "b".repeat(6_000))]);
    expect(past.readAgainTokens).toBeLessThan(2_000);
  });

  it("removes nothing under the policy `seed`", () => {
    const talk = new Talk();
    talk.turn(60, 200);
    talk.timeline.contribute([make.result({ turn: "turn_1", call: "tc_1", iteration: 1 }, "a".repeat(9_000))]);
    const seed = { now: talk.now, cache, policy: "seed" } as const;
    expect(maintainClosedTurn(talk.timeline, "turn_1", seed)).toBeNull();
    expect(maintainClosedTurn(talk.timeline, "turn_1", { ...seed, policy: "economic" })).not.toBeNull();
  });
});

describe("the budget of a request", () => {
  it("is the model's window in estimated tokens, calibrated by the model's reports", () => {
    const talk = new Talk();
    talk.turn(60, 200, 200);
    expect(talk.maintenance("next").budget).toMatchObject({ maxTokens: 40_000, maxOutputTokens: 400 });
    const refused = { estimated: 1_000, counted: 2_500 };
    const needs = { budget: { maxTokens: 80_000 }, model: { id: "m" }, refused };
    expect(maintain(talk.timeline, needs).budget?.maxTokens).toBe(32_000);
    expect(maintain(talk.timeline, { ...needs, model: { id: "other" }, refused: undefined }).budget?.maxTokens).toBe(
      80_000,
    );
  });

  it("is separate for each wire form of a model", () => {
    const talk = new Talk();
    talk.turn(60, 200, 200);
    const budget = { maxTokens: 80_000 };
    expect(maintain(talk.timeline, { budget, model: { id: "m", lowering: "flat" } }).budget?.maxTokens).toBe(40_000);
    expect(maintain(talk.timeline, { budget, model: { id: "m", lowering: "native" } }).budget?.maxTokens).toBe(80_000);
  });
});

describe("a restart", () => {
  it.each(["journal", "snapshot"] as const)("from the %s changes no decision", (from) => {
    const talk = new Talk();
    for (const pause of [60, 400, 90, 5_000, 700]) talk.turn(pause, 4_000, 150);
    const other = talk.reloaded(from);
    talk.now += 1_000;
    other.now += 1_000;
    const [decided, again] = [talk.maintenance("next"), other.maintenance("next")];
    expect(again).toEqual(decided);
    expect(throughJson(snapshotState(other.timeline.state))).toEqual(throughJson(snapshotState(talk.timeline.state)));
  });

  it("from an older snapshot without the recorded past continues from what its window shows", () => {
    const talk = new Talk();
    for (const pause of [60, 60, 60]) talk.turn(pause, 4_000, 200);
    const { past: _, ...older } = throughJson(snapshotState(talk.timeline.state));
    const { past } = restoreState(older);
    expect(past.prunedTokens).toBe(talk.timeline.state.past.prunedTokens);
    expect(past.calibration("m flat")?.factor).toBe(2);
  });
});
