/**
 * Prediction as a law: whatever happens in a conversation, every request is billed the cache read that its receipt
 * predicted, and changes no prefix without declaring it.
 *
 * Conversations are generated and played as real turns over a socket: parallel calls, consent, steering messages, calls
 * that a process left behind, violations, retries, hides, prunes, clips, cut answers, other models and lowerings, forks,
 * restarts and reasoning settings, with and without reasoning. Providers with automatic caches promise nothing, so their
 * receipts predict nothing.
 */
import type { MessageReply } from "@cairn/testkit/models";
import { patience } from "@cairn/testkit/patience";
import { bySize } from "@cairn/testkit/runs";
import { ReplayedTrace, type ScriptedReply, type Trace, tokensOf, toldRequests } from "@cairn/testkit/turns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Reasoning } from "../model/request-settings.ts";
import { reactTools } from "../react/react-tools.ts";
import { type AnyTool, defineTool } from "../tool/tool.ts";

const trace: Trace = { system_tokens: 1_500, tools_tokens: 1_500, turns: [] };

interface Wire {
  /** The second is the one that a conversation changes to. */
  readonly models: readonly [string, string];
  readonly predicts: boolean;
}

const WIRES: readonly Wire[] = [
  { models: ["anthropic:claude-sonnet-5", "anthropic:claude-opus-5"], predicts: true },
  {
    models: ["bedrock:us.anthropic.claude-sonnet-5", "bedrock:global.anthropic.claude-opus-4-8-v1:0"],
    predicts: true,
  },
  { models: ["openai:gpt-6.1-sol", "openai:gpt-6-sol"], predicts: true },
  { models: ["openai-compatible:gpt-4.1", "openai-compatible:qwen-4"], predicts: false },
  { models: ["google:gemini-4-argon", "google:gemini-4-neon"], predicts: false },
];

const look = defineTool({
  id: "site.look",
  description: "Looks something up.",
  params: z.object({ what: z.string(), words: z.number() }),
  idempotent: false,
  run:
    async ({ what, words }) =>
    (scribe) =>
      scribe.result(tokensOf(what, words), "text/plain"),
});
const order = defineTool({
  id: "site.order",
  description: "Orders something.",
  params: z.object({ what: z.string() }),
  approval: "always",
  run: async ({ what }) => ({ ok: true, ret: { ordered: what } }),
});
/** While it runs, the user sends another message. */
const nudge = (replayed: () => ReplayedTrace): AnyTool =>
  defineTool({
    id: "site.nudge",
    description: "Waits for the user.",
    params: z.object({ message: z.string() }),
    run: async ({ message }) => {
      await replayed().steer(message);
      return { ok: true, ret: {} };
    },
  });

const thoughts = fc.constantFrom(1, 3, 40, 400);
const sizes = fc.constantFrom<number>(2, 60, 700, 2_500);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("look" as const),
      words: fc.oneof(
        { weight: 6, arbitrary: fc.array(sizes, { minLength: 1, maxLength: 4 }) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom<number>(2, 30), { minLength: 24, maxLength: 28 }) },
      ),
      notes: fc.boolean(),
      thought: thoughts,
      /** The process ends after this many of its calls. */
      dies: fc.option(fc.nat({ max: 3 }), { freq: 6, nil: null }),
    }),
  },
  fc.record({
    do: fc.constantFrom("order", "nudge", "hide", "write", "bad_call", "no_tool", "empty", "lost", "cut", "clip"),
    thought: thoughts,
    approves: fc.boolean(),
  }),
);
const turn = fc.record({
  prompt: sizes,
  pause: fc.constantFrom(1, 1, 1, 200, 400, 2_000, 4_000),
  before: fc.constantFrom("nothing", "nothing", "nothing", "restart", "fork", "model", "lowering", "agent"),
  steps: fc.array(step, { maxLength: 5 }),
  answer: fc.constantFrom(1, 30, 600),
  reasoning: fc.constantFrom<Reasoning | undefined>(
    undefined,
    { effort: "none" },
    { effort: "minimal" },
    { effort: "low" },
    { effort: "high" },
    { budgetTokens: 4_000 },
    { budgetTokens: 8_000 },
  ),
  thought: thoughts,
});
const conversation = fc.record({
  turns: fc.array(turn, { minLength: 2, maxLength: 5 }),
  window: fc.constantFrom(1_000_000, 1_000_000, 30_000),
  prune: fc.constantFrom("seed" as const, "economic" as const),
  lowering: fc.constantFrom("native" as const, "native" as const, "native" as const, "flat" as const),
});

type Conversation = typeof conversation extends fc.Arbitrary<infer T> ? T : never;
type Turn = Conversation["turns"][number];
type Step = Turn["steps"][number];

/** Plays generated turns one after the other. */
class Play {
  readonly #wire: Wire;
  readonly #thinks: boolean;
  #model = 0;
  #isFlat: boolean;
  #changes = 0;
  #ids = 0;

  constructor(wire: Wire, thinks: boolean, { lowering }: Conversation) {
    this.#wire = wire;
    this.#thinks = thinks;
    this.#isFlat = lowering === "flat";
  }

  async turn(
    replayed: ReplayedTrace,
    { prompt, pause, before, steps, answer, thought, reasoning }: Turn,
  ): Promise<void> {
    replayed.pass(pause);
    const id = ++this.#ids;
    if (before === "restart") await replayed.reopen();
    else if (before === "fork") await replayed.fork(`fork ${id}`);
    else if (before === "model") this.#model = 1 - this.#model;
    else if (before === "lowering") this.#isFlat = !this.#isFlat;
    else if (before === "agent") this.#changes++;
    const deaths = steps.flatMap((each, nth) =>
      each.do === "look" && each.dies !== null && each.dies < each.words.length
        ? [this.#callsBefore(steps, nth) + each.dies + 1]
        : [],
    );
    const agent = {
      model: await replayed.modelOf(this.#wire.models[this.#model] ?? "", this.#isFlat ? "flat" : "native"),
      ...(reasoning === undefined ? {} : { request: { reasoning } }),
      ...(this.#changes === 0 ? {} : { instructions: tokensOf(`system text ${this.#changes}`, 1_500) }),
    };
    const replies = [
      ...steps.flatMap((each, nth) => this.#replies(each, `${id}.${nth}`)),
      this.#says(id, answer, thought),
    ];
    await replayed.turn(tokensOf(`prompt ${id}`, prompt), replies, {
      agent,
      ...(deaths[0] === undefined ? {} : { endsAfter: deaths[0] }),
    });
    const approvals = steps.flatMap((each) => (each.do === "order" ? [each.approves] : []));
    for (let next = 0; await replayed.isOpen(); next++) {
      if (await replayed.isWaiting()) await replayed.approve(approvals[next] ?? true);
      else await replayed.reopen();
      await replayed.goOn({ agent });
    }
  }

  #callsBefore(steps: readonly Step[], nth: number): number {
    return steps.slice(0, nth).reduce((sum, each) => sum + (each.do === "look" ? each.words.length : 1), 0);
  }

  #thinking(seed: string, tokens: number): Pick<MessageReply, "thinking"> {
    return this.#thinks ? { thinking: tokensOf(`thought ${seed}`, tokens) } : {};
  }

  #says(id: number, tokens: number, thought: number): MessageReply {
    return { ...this.#thinking(`${id}`, thought), text: tokensOf(`answer ${id}`, tokens) };
  }

  #replies(given: Step, seed: string): ScriptedReply[] {
    const thinking = this.#thinking(seed, given.thought);
    const calls = (name: string, input: object): MessageReply => ({
      ...thinking,
      calls: [{ name, input: { ...input } }],
    });
    switch (given.do) {
      case "look":
        return [
          {
            ...thinking,
            ...(given.notes ? { text: tokensOf(`notes ${seed}`, 12) } : {}),
            calls: given.words.map((words, nth) => ({ name: "site__look", input: { what: `${seed}.${nth}`, words } })),
          },
        ];
      case "order":
        return [calls("site__order", { what: seed })];
      case "nudge":
        return [calls("site__nudge", { message: tokensOf(`nudge ${seed}`, 20) })];
      case "hide":
        return [({ texts }) => calls("react__hide", { path: lastResult(texts), replacement_text: "seen" })];
      case "write":
        return [
          calls("react__write", {
            path: `files/${seed}.md`,
            channel: "canvas",
            kind: "file",
            content: tokensOf(`file ${seed}`, 300),
          }),
        ];
      case "bad_call":
        return [{ ...thinking, calls: [{ name: "site__look", rawInput: '{"what": ' }] }];
      case "no_tool":
        return [calls("site__nothing", {})];
      case "empty":
        return [{ ...thinking }];
      case "lost":
        return [{ ...thinking, text: "half an answer", pieceSize: 4, interrupt: { after: 2, by: "cut" } }];
      case "cut":
        return [
          { ...thinking, text: tokensOf(`cut ${seed}`, 20), truncated: true },
          { text: tokensOf(`rest ${seed}`, 20) },
        ];
      case "clip":
        return [calls("site__look", { what: seed, words: 20_000 })];
    }
  }
}

function lastResult(texts: readonly string[]): string {
  const found = texts.join("\n").match(/tc:\S+\.result/g);
  return found?.at(-1) ?? "tc:none";
}

async function play(wire: Wire, thinks: boolean, given: Conversation): Promise<void> {
  const opened: ReplayedTrace[] = [];
  const only = () => opened[0] as ReplayedTrace;
  await using replayed = await ReplayedTrace.open(trace, {
    model: wire.models[0],
    lowering: given.lowering,
    contextTokens: given.window,
    agent: { tools: [...reactTools(), look, order, nudge(only)], memory: { prune: given.prune } },
  });
  opened.push(replayed);
  const played = new Play(wire, thinks, given);
  for (const each of given.turns) await played.turn(replayed, each);
  expect(replayed.simulator.requests.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
  const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
  expect(told.length).toBeGreaterThan(0);
  for (const request of told) {
    expect(request).toMatchObject({ isRebuilt: true, isSpelled: true });
    expect(request.miss === null || request.resets.includes(request.miss), JSON.stringify(request)).toBe(true);
    expect(request.predictedRead, JSON.stringify(request)).toBe(wire.predicts ? request.billedRead : null);
  }
}

describe.each(WIRES)("$models", (wire) => {
  it.each([
    ["without reasoning", false],
    ["with reasoning", true],
  ])(
    "%s, every request of a generated conversation is billed the read that its receipt predicted",
    async (_, thinks) => {
      await fc.assert(
        fc.asyncProperty(conversation, (given) => play(wire, thinks, given)),
        { numRuns: bySize({ quick: 1, usual: 2, long: 500 }), endOnFailure: true },
      );
    },
    patience,
  );
});
