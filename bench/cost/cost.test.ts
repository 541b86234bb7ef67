/** The limits on cost, held by replaying the traces. Tokens by length here, so that the tests stay quick. */
import { join } from "node:path";
import { fixedEstimator } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { checkBars } from "./bars.ts";
import type { Market } from "./cost-result.ts";
import { measureTrace, replayRequests } from "./measure.ts";
import { REREADS } from "./reread.ts";
import { readTrace } from "./trace.ts";

const MARKETS: readonly Market[] = [
  { provider: "anthropic", ttl: "5m" },
  { provider: "anthropic", ttl: "1h" },
  { provider: "anthropic", ttl: "auto" },
  { provider: "openai", ttl: "5m" },
];
/** The traces' words have about five characters, the blank included. */
const countTokens = fixedEstimator(0.2);
const traceOf = (name: string) => readTrace(join(import.meta.dirname, "..", "traces", `trace-${name}.json`));

describe.each(["short", "mixed", "long"])("%s", (name) => {
  const results = measureTrace({ name, trace: traceOf(name) }, MARKETS, REREADS, countTokens);

  it.each(checkBars(results))("$name is at most $limit", ({ value, limit }) => {
    expect(value).toBeLessThanOrEqual(limit);
  });

  it("is sent in 140 requests, one when a turn opens and one after each round", () => {
    expect(results.find(({ reread }) => reread === null)?.requests).toBe(140);
  });
});

it("a replay gives the same requests each time, restarts included", () => {
  const once = { share: 0.6, how: "once" } as const;
  const run = () => replayRequests(traceOf("short"), "economic", { provider: "openai", ttl: "5m" }, once, countTokens);
  expect(JSON.stringify(run())).toBe(JSON.stringify(run()));
});
