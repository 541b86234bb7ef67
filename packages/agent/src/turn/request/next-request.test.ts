/** `nextRequest` shows the request that a turn sends. */
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import type { Model, ModelRequest } from "../../model/model.ts";
import { nextRequest } from "./next-request.ts";

const shown = ({ system, tools, inText, settings, toolChoice, output, maxOutputTokens, ttl, view }: ModelRequest) => ({
  request: { system, tools, inText, settings, toolChoice, output, maxOutputTokens, ttl },
  messages: view.messages(),
  stable: view.stableLength,
});

const FILE = `${"Tea is a drink. ".repeat(2_000)}`;
const SCHEMA = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };

const CASES: Readonly<Record<string, BenchOptions>> = {
  "with the tools that the policies leave": { agent: { policies: { "react.hide": "refuse", "react.write": "ask" } } },
  "with the tools in its text for a model that needs it": { agent: { protocol: "text" } },
  "with its settings and its budgets": { agent: { request: { temperature: 0.5 }, budgets: { tokens: 100_000 } } },
  "after pruning and compaction": { contextTokens: 12_000, maxOutputTokens: 1_000 },
};

describe("the next request of a conversation", () => {
  it.each(Object.entries(CASES))("is the one that its turn sends, %s", async (_, options) => {
    await using bench = await TurnBench.open(options);
    let time = Date.parse("2026-02-09T10:00:00Z");
    const sent: unknown[] = [];
    const planned: unknown[] = [];
    const model: Model = {
      ...bench.agent.model,
      async *stream(request, streamed) {
        // Before a request is sent, the turn has stored everything that the request shows.
        if (request.instruction === undefined) {
          const { store, key } = bench;
          const parts = { store, key, countTokens: (text: string) => Math.ceil(text.length / 4), now: () => time };
          const next = await nextRequest({ ...parts, agent: async () => agent });
          planned.push(shown(next.request));
          sent.push(shown(request));
        }
        yield* bench.agent.model.stream(request, streamed);
      },
    };
    const agent = { ...bench.agent, model };
    const run = async (message: string, output?: typeof SCHEMA) => {
      await bench.say(message, "turn", undefined, output);
      const outcome = await bench.run({ agent, now: () => time });
      expect(planned).toEqual(sent);
      expect(outcome).toMatchObject({ end: { exit: "complete" } });
      time += 3_600_000;
    };
    bench.simulator.script([{ reply: { text: '{"price": 2}' }, times: 20 }]);
    for (let n = 0; n < 3; n++) await run(`Remember: ${FILE.slice(0, 14_000)}`);
    await run("What does it cost?", SCHEMA);
    expect(sent).toHaveLength(4);
  });

  it("stores nothing", async () => {
    await using bench = await TurnBench.open({ contextTokens: 12_000, maxOutputTokens: 1_000 });
    bench.simulator.script([{ reply: { text: "Noted." }, times: 20 }]);
    for (let n = 0; n < 2; n++) await bench.turn(FILE.slice(0, 16_000));
    const { store, key } = bench;
    const { seq } = await store.load(key);
    const asked = bench.simulator.requests.length;
    const parts = { store, key, countTokens: (text: string) => text.length, now: () => 0 };
    const { request } = await nextRequest({ ...parts, agent: async () => bench.agent });
    expect(request.view.messages().length).toBeGreaterThan(0);
    expect([(await store.load(key)).seq, bench.simulator.requests.length]).toEqual([seq, asked]);
  });
});
