/** The simulator accepts requests lowered from a timeline, and bills them as the cache simulator prices them. */
import { describeWire, lowerView, PROVIDERS, type ProviderId, Timeline, type WireInput } from "@cairn/timeline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CacheSimulator } from "../../cache/cache-simulator.ts";
import { conversations } from "../../conversation/index.ts";
import { runs } from "../../runs.ts";
import { ModelSimulator } from "../model-simulator.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const system = "Be brief. ".repeat(600);
const tools = [{ name: "look", description: "Looks", schema: { type: "object", properties: {} } }];
let now = 1_770_603_272_000;
const clock = { now: () => now };
let simulator: ModelSimulator;

beforeAll(async () => {
  simulator = await ModelSimulator.start({ countTokens, clock, imagesResetMessages: false });
  simulator.script([{ reply: { text: "ok" }, times: Number.POSITIVE_INFINITY }]);
});
afterAll(() => simulator.close());

const wires: [name: string, provider: ProviderId, api: WireInput["api"], path: string, model: string][] = [
  ["Anthropic", "anthropic", "responses", "/messages", "claude-sonnet-4-5"],
  ["OpenAI Responses", "openai", "responses", "/responses", "gpt-5.6"],
  ["OpenAI Chat", "openai", "chat", "/chat/completions", "gpt-5.6"],
  ["an automatic cache", "automatic", "chat", "/chat/completions", "gpt-4.1"],
];

describe.each(wires)("%s", (_, provider, api = "responses", path, model) => {
  it("every request of a conversation is read and written at the computed price", async () => {
    const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01", authorization: "Bearer key" };
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        conversations(),
        fc.constantFrom("seed" as const, "economic" as const),
        fc.uuid(),
        async (batches, strategy, id) => {
          const timeline = Timeline.create({ clock, countTokens });
          const priced = new CacheSimulator(PROVIDERS[provider]);
          let previousLength = 0;
          for (const { blocks, sources } of batches) {
            now += 60_000;
            timeline.contribute(blocks);
            timeline.mergeSources(sources);
            const view = timeline.render({ strategy, previousLength, includeSources: true });
            previousLength = view.stableLength;
            // A unique system text separates each conversation from the ones before.
            const input: WireInput = { tools, system: `${id} ${system}`, strategy, api, cacheKey: id };
            const wire = lowerView(view, input, provider);
            const body = JSON.stringify({
              model,
              ...(provider === "anthropic" ? { max_tokens: 100 } : {}),
              ...wire.body,
            });
            await fetch(`${simulator.baseUrl}${path}`, { method: "POST", headers, body });
            const cost = priced.send({ t: now / 1_000, ...describeWire(wire, countTokens) });
            read += cost.read;
            const { refusal, usage, bytes } = simulator.requests.at(-1) ?? {};
            expect(refusal).toBeNull();
            expect(bytes).toBe(body);
            expect(usage).toMatchObject({
              total: cost.tokens,
              read: cost.read,
              written: cost.written,
              uncached: cost.uncached,
            });
          }
        },
      ),
      { numRuns: Math.ceil(runs / 50) },
    );
    expect(read).toBeGreaterThan(0);
  });
});
