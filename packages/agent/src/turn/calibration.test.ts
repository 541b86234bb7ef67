/** Tests calibration: a provider counts tokens in its own way, and its reports keep requests within its window. */
import { bySize } from "@cairn/testkit/runs";
import { ReplayedTrace, type Trace, tokensOf } from "@cairn/testkit/turns";
import type { CountTokens } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { resolveModel } from "../resolve/resolve-model.ts";

const WINDOW = 24_000;
const countTokens = (text: string) => Math.ceil(text.length / 5);

/** Forty turns that fill the window several times over; twenty in a quick run, which fill it too. */
const trace: Trace = {
  system_tokens: 600,
  tools_tokens: 1_200,
  turns: Array.from({ length: bySize({ quick: 20, usual: 40, long: 40 }) }, (_, nth) => ({
    pause_seconds: 60,
    prompt_tokens: 200,
    rounds: [{ seconds: 5, notes_tokens: 20, call_tokens: 30, result_tokens: [900 + 40 * (nth % 7)], new_sources: 0 }],
    answer_tokens: 150,
    restart_after_round: null,
  })),
};

const open = (provider: CountTokens, given = trace) =>
  ReplayedTrace.open(given, {
    model: "anthropic:claude-sonnet-5",
    contextTokens: WINDOW,
    countTokens,
    provider: { countTokens: provider, contextWindow: WINDOW },
    agent: { memory: { prune: "seed", session: { cache_ttl_seconds: 0 } } },
  });

const refused = ({ simulator }: ReplayedTrace) => simulator.requests.filter(({ status }) => status !== 200);

/** A quick run uses only the provider that refuses requests. */
const FACTORS = bySize({ quick: [2], usual: [0.5, 1, 2], long: [0.5, 1, 2] });

describe.each(FACTORS)("a provider that counts %d times our estimate", (factor) => {
  it("refuses at most one request of all turns", async () => {
    await using replayed = await open((text) => Math.ceil(factor * countTokens(text)));
    await replayed.run();
    expect(refused(replayed).length).toBeLessThanOrEqual(1);
    const kinds = (await replayed.store.readEvents(replayed.key)).map(({ event }) => event.kind);
    expect(kinds).toContain("compaction.committed");
  });
});

it("a model that was never used before refuses one request and none after it, also after a restart", async () => {
  let factor = 1;
  await using replayed = await open((text) => factor * countTokens(text), { ...trace, turns: [] });
  const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: replayed.simulator.baseUrl };
  const limits = { CAIRN_MODEL_CONTEXT_TOKENS: String(WINDOW), CAIRN_MODEL_MAX_OUTPUT_TOKENS: "4000" };
  const model = await resolveModel("anthropic:claude-opus-5", { ...env, ...limits });
  const talk = async (nth: number, agent = {}) =>
    replayed.turn(tokensOf(`asked ${nth}`, 900), [{ text: tokensOf(`said ${nth}`, 300) }], { agent });
  for (let nth = 0; nth < 10; nth++) await talk(nth);
  factor = 2;
  for (let nth = 10; nth < 30; nth++) {
    if (nth === 20) await replayed.reopen();
    await talk(nth, { model });
  }
  const decisions = refused(replayed).filter(({ bytes }) => bytes.includes("[ANNOUNCE]"));
  expect(decisions).toHaveLength(1);
});
