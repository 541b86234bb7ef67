/**
 * Tests predictions of the cache over the wire: a recorded conversation is played as real turns against simulators of
 * the providers, with the restart that it contains. The provider bills the reads that the receipt predicted, the prefix
 * does not change without a declared reset, and every request can be rebuilt byte for byte.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patience } from "@cairn/testkit/patience";
import { bySize, runs } from "@cairn/testkit/runs";
import { ReplayedTrace, type Trace, toldRequests } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";

const TRACES = join(import.meta.dirname, "../../../../bench/traces");
const whole = JSON.parse(readFileSync(join(TRACES, "trace-mixed.json"), "utf8")) as Trace;
/**
 * A short run uses only the special parts: a pause that is longer than the short lifetime, the restart, and a pause
 * that is longer than every lifetime.
 */
const PART = new Set([0, 1, 9, 12, 13]);
const trace = runs > 1_000 ? whole : { ...whole, turns: whole.turns.filter((_, index) => PART.has(index)) };
const REQUESTS = trace.turns.reduce((sum, turn) => sum + turn.rounds.length + 1, 0);

/** Models, each with both lowerings. A quick run uses one model with one lowering. */
const [FIRST, SECOND] = ["anthropic:claude-sonnet-5", "openai:gpt-6.1-sol"] as const;
const ONE = [[FIRST, "flat"] as const];
const ALL = [...ONE, [SECOND, "native"] as const, [FIRST, "native"] as const, [SECOND, "flat"] as const];
const cases = bySize({ quick: ONE, usual: ALL, long: ALL });

describe.each(cases)("a recorded conversation with %s, sent as %s", (model, lowering) => {
  it(
    "reads from the cache what its receipts predict, declares every reset and can be rebuilt",
    async () => {
      await using replayed = await ReplayedTrace.open(trace, { model, lowering });
      await replayed.run();
      expect(replayed.restarts).toBe(1);
      expect(replayed.simulator.requests.map(({ refusal }) => refusal)).toEqual(Array(REQUESTS).fill(null));
      const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
      expect(told).toHaveLength(REQUESTS);
      for (const request of told) {
        const { billedRead, predictedRead, resets, miss } = request;
        expect(billedRead).not.toBeNull();
        expect(request).toMatchObject({ predictedRead: billedRead, reportedRead: billedRead });
        expect(request).toMatchObject({ isRebuilt: true, isSpelled: true, continues: request.n > 1 });
        // The prefix changes exactly when a reset says so. Only then, or after a pause, the cache read is smaller.
        expect(miss).toBe(resets[0] ?? null);
        expect(predictedRead).toBeTypeOf("number");
      }
      expect(new Set(told.flatMap(({ resets }) => resets))).toEqual(new Set(["turn_prune"]));
      expect(told.filter(({ billedRead }) => billedRead !== null && billedRead > 0).length).toBeGreaterThan(
        REQUESTS * 0.8,
      );
    },
    patience,
  );
});
