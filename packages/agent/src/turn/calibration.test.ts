/** A provider counts tokens in its own way. Its reports tell, so that requests keep within its window. */
import { ReplayedTrace, type Trace, tokensOf } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";

const WINDOW = 24_000;
const countTokens = (text: string) => Math.ceil(text.length / 5);

/** Forty turns that fill the window several times over. */
const trace: Trace = {
  system_tokens: 600,
  tools_tokens: 1_200,
  turns: Array.from({ length: 40 }, (_, nth) => ({
    pause_seconds: 60,
    prompt_tokens: 200,
    rounds: [{ seconds: 5, notes_tokens: 20, call_tokens: 30, result_tokens: [900 + 40 * (nth % 7)], new_sources: 0 }],
    answer_tokens: 150,
    restart_after_round: null,
  })),
};

const open = (factor: number, given = trace, window = WINDOW) =>
  ReplayedTrace.open(given, {
    model: "anthropic:claude-sonnet-5",
    contextTokens: window,
    countTokens,
    provider: { countTokens: (text) => Math.ceil(countTokens(text) * factor), contextWindow: window },
    agent: { memory: { prune: "seed", session: { cache_ttl_seconds: 0 } } },
  });

const refused = ({ simulator }: ReplayedTrace) => simulator.requests.filter(({ status }) => status !== 200);

describe.each([0.5, 1, 2])("a provider that counts %d times our estimate", (factor) => {
  it("refuses at most one request in forty turns", async () => {
    await using replayed = await open(factor);
    await replayed.run();
    expect(refused(replayed).length).toBeLessThanOrEqual(1);
    const kinds = (await replayed.store.readEvents(replayed.key)).map(({ event }) => event.kind);
    expect(kinds).toContain("compaction.committed");
  });
});

it("a request that is refused before anything was reported is refused once, also after a restart", async () => {
  await using replayed = await open(2, { ...trace, turns: [] });
  const says = (text: string) => ({ text });
  await replayed.turn(tokensOf("one", 4_000), [says("Done.")], {});
  await replayed.turn(tokensOf("two", 7_000), [says("Done.")], {});
  for (const nth of Array(12).keys()) {
    if (nth === 6) await replayed.reopen();
    await replayed.turn(tokensOf(`more ${nth}`, 1_200), [says(tokensOf(`said ${nth}`, 300))], {});
  }
  expect(refused(replayed).length).toBeLessThanOrEqual(1);
});
