/** Tests that the simulator accepts lowered requests of a timeline, and bills as the cache simulator does. */

import { busyConversations, conversations } from "@cairn/testkit/conversation";
import { runs } from "@cairn/testkit/runs";
import {
  FLAT_1,
  lowerView,
  NATIVE_1,
  PROVIDERS,
  type ProviderId,
  Timeline,
  type WireApi,
  type WireInput,
} from "@cairn/timeline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWire } from "../../../../test/describe-wire.ts";
import { CacheSimulator } from "../../cache/cache-simulator.ts";
import { ModelSimulator } from "../model-simulator.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const system = "Be brief. ".repeat(600);
const tools = [{ name: "look", description: "Looks", schema: { type: "object", properties: {} } }];
let now = 1_770_603_272_000;
const clock = { now: () => now };
let simulator: ModelSimulator;
let count = 0;
/** Conversations with many kinds of actions, except those that change earlier requests. */
const appended = busyConversations().map((moves) =>
  moves.flatMap((move) => (move.do === "append" ? [{ blocks: move.blocks, sources: [] }] : [])),
);

beforeAll(async () => {
  simulator = await ModelSimulator.start({ countTokens, clock, imagesResetMessages: false });
  simulator.script([{ reply: { text: "ok" }, times: Number.POSITIVE_INFINITY }]);
});
afterAll(() => simulator.close());

const wires: [name: string, provider: ProviderId, api: WireApi, path: string, model: string][] = [
  ["Anthropic", "anthropic", "responses", "/messages", "claude-sonnet-4-5"],
  ["Bedrock", "bedrock", "chat", "/model/us.anthropic.claude-sonnet-5-v1%3A0/converse", ""],
  ["OpenAI Responses", "openai", "responses", "/responses", "gpt-5.6"],
  ["OpenAI Chat", "openai", "chat", "/chat/completions", "gpt-5.6"],
  ["an automatic cache", "automatic", "chat", "/chat/completions", "gpt-4.1"],
  ["Google", "automatic", "google", "/models/gemini-4-argon:generateContent", ""],
];
const cases = [FLAT_1, NATIVE_1].flatMap((lowering) =>
  // Only Google's package makes flat requests in Google's form.
  wires.filter(([, , api]) => api !== "google" || lowering === NATIVE_1).map((wire) => [lowering, ...wire] as const),
);

describe.each(cases)("%o, %s", (lowering, _, provider, api, path, model) => {
  it("every request of a conversation is read and written at the computed price", async () => {
    const headers = {
      "x-api-key": "key",
      "anthropic-version": "2023-06-01",
      authorization: "Bearer key",
      "x-goog-api-key": "key",
    };
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(conversations(), appended),
        fc.constantFrom("seed" as const, "economic" as const),
        async (batches, strategy) => {
          const id = `conversation ${++count}`;
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
            const input: WireInput = {
              tools,
              system: `${id} ${system}`,
              strategy,
              api,
              cacheKey: id,
              lowering,
              toolName: (tool) => tool.replaceAll(".", "__"),
            };
            const wire = lowerView(view, input, provider);
            const body = JSON.stringify({
              ...(model === "" ? {} : { model }),
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
