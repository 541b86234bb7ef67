/**
 * Tests the limits on cost by replaying a trace as real turns. Tokens are estimated from the length of texts, so that
 * the tests are fast.
 */
import { join } from "node:path";
import { patience } from "@cairn/testkit/patience";
import { expect, it } from "vitest";
import { checkBars } from "./bars.ts";
import { measureTrace } from "./measure.ts";
import { type ReplayOptions, replay } from "./replay.ts";
import { readTrace, type Trace } from "./trace.ts";

/** The traces' words have about five characters, including the blank. */
const countTokens = (text: string) => Math.ceil(text.length / 5);
const mixed = readTrace(join(import.meta.dirname, "..", "traces", "trace-mixed.json"));
const notRead = { share: 0, how: "once" } as const;

it(
  "a conversation over the wire costs what the limits allow, un-pruned and pruned",
  async () => {
    const trace = { name: "mixed", trace: mixed };
    const results = await measureTrace(trace, [{ provider: "anthropic", ttl: "5m" }], [notRead], countTokens);
    expect(results.map(({ requests }) => requests)).toEqual(results.map(() => 140));
    expect(checkBars(results).filter(({ ok }) => !ok)).toEqual([]);
  },
  patience,
);

it(
  "a restart in the middle changes no request",
  async () => {
    // These turns are around the restart. One pause is shorter than the cache lifetime, and one is longer.
    const turns = mixed.turns.slice(8, 14);
    const restarting: Trace = { ...mixed, turns };
    const going: Trace = { ...mixed, turns: turns.map((turn) => ({ ...turn, restart_after_round: null })) };
    expect(turns.some(({ restart_after_round }) => restart_after_round !== null)).toBe(true);
    const options: ReplayOptions = { provider: "anthropic", memory: { ttl: "auto" }, reread: notRead, countTokens };
    const [restarted, uninterrupted] = [await replay(restarting, options), await replay(going, options)];
    expect(restarted.requests.map(placed)).toEqual(uninterrupted.requests.map(placed));
  },
  patience,
);

/** The whole request without the contents, which contain ids. */
function placed({ t, blocks, breakpoints }: Awaited<ReturnType<typeof replay>>["requests"][number]) {
  return { t, breakpoints, blocks: blocks.map(({ kind, tokens }) => ({ kind, tokens })) };
}
