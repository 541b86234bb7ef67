/**
 * Tests the law of predictions: whatever happens in a conversation, every request is billed the cache read that its
 * receipt predicted, and no request changes the prefix without a declared reset.
 */
import { make } from "@cairn/testkit/conversation";
import type { MessageReply } from "@cairn/testkit/models";
import { patience } from "@cairn/testkit/patience";
import { bySize } from "@cairn/testkit/runs";
import { ReplayedTrace, type ScriptedReply, type Trace, tokensOf, toldRequests } from "@cairn/testkit/turns";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentMemory } from "../definition/agent-memory.ts";
import type { Reasoning } from "../model/request-settings.ts";
import { reactTools } from "../react/react-tools.ts";
import { type AnyTool, defineTool } from "../tool/tool.ts";

const trace: Trace = { system_tokens: 1_500, tools_tokens: 1_500, turns: [] };

interface Wire {
  /** The model of the conversation, and the model to which the conversation may change. */
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
/** While the tool runs, the user sends another message. */
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
      /** The process ends after this number of the decision's calls. */
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
  before: fc.constantFrom("nothing", "nothing", "nothing", "restart", "fork", "model", "lowering", "agent", "late"),
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
  /** Number of turns that are not pruned after a pause. */
  keeps: fc.constantFrom(1, 10),
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
    const late = before === "late" ? await this.#callWithoutResult(replayed) : null;
    await replayed.turn(tokensOf(`prompt ${id}`, prompt), replies, {
      agent,
      ...(deaths[0] === undefined ? {} : { endsAfter: deaths[0] }),
    });
    const approvals = steps.flatMap((each) => (each.do === "order" ? [each.approves] : []));
    while (await replayed.isOpen()) {
      if (await replayed.isWaiting()) await replayed.approve(approvals.shift() ?? true);
      else await replayed.reopen();
      await replayed.goOn({ agent });
    }
    // The turn has shown that the call has no result.
    if (late !== null) await replayed.contribute([make.result(late, "The outcome came late.", "text/plain")]);
  }

  /** The last turn has one more call, whose result is missing. */
  async #callWithoutResult(replayed: ReplayedTrace): Promise<make.CallContext | null> {
    const turn = (await replayed.store.load(replayed.key)).state.window.at(-1)?.block.turn_id;
    if (typeof turn !== "string") return null;
    const at = { turn, call: `late_${this.#ids}`, iteration: 90 };
    await replayed.contribute([make.call(at, "site.look", { what: "late", words: 2 })]);
    return at;
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
        return [({ body }) => calls("react__hide", { path: lastResult(body), replacement_text: "seen" })];
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
        return [calls("site__look", { what: seed, words: 12_000 })];
    }
  }
}

type Doing = Exclude<Step["do"], "look">;

const does = (doing: Doing, approves = true): Step => ({ do: doing, thought: 40, approves });
const looks = (words: number[], dies: number | null = null): Step => ({
  do: "look",
  words,
  notes: true,
  thought: 40,
  dies,
});
const plain = (before: Turn["before"], steps: Step[], pause: Turn["pause"] = 1): Turn => ({
  prompt: 60,
  pause,
  before,
  steps,
  answer: 30,
  thought: 40,
  reasoning: { effort: "high" },
});

/** All actions that can happen, in one conversation. */
const EVERYTHING: Conversation = {
  turns: [
    { ...plain("nothing", [looks([2, 2_500, 60]), does("order"), does("hide"), does("write")]), prompt: 2_500 },
    plain("late", [looks(Array(24).fill(2), 3), does("order", false), does("nudge")]),
    plain("fork", [does("bad_call"), does("no_tool"), does("empty"), does("lost"), does("cut")], 4_000),
    plain("restart", [looks([700]), does("clip")]),
    plain("model", [looks([60])]),
    plain("lowering", [looks([60])]),
    plain("lowering", [looks([60])]),
    plain("agent", [looks([60])]),
  ],
  window: 30_000,
  prune: "economic",
  keeps: 1,
  lowering: "native",
};

/** What the requests of a conversation show, and the events and resets in its journal. */
const SHOWN = [
  "tool_interrupted",
  "The outcome came late.",
  "approval_denied",
  "protocol_violation",
  "nudge",
  "ref:fi:",
];
const HAPPENED = [
  ...["blocks.hidden", "blocks.pruned", "blocks.clipped"],
  ...["hide", "ttl_prune", "turn_prune", "model_changed", "lowering_changed", "system_changed"],
];

function lastResult(body: object): string {
  const found = JSON.stringify(body).match(/tc:[\w.]+\.result/g);
  return found?.at(-1) ?? "tc:none";
}

/** Returns the items of the lists above that did not occur. */
async function play(wire: Wire, thinks: boolean, given: Conversation): Promise<string[]> {
  const opened: ReplayedTrace[] = [];
  const only = () => opened[0] as ReplayedTrace;
  await using replayed = await ReplayedTrace.open(trace, {
    model: wire.models[0],
    lowering: given.lowering,
    contextTokens: given.window,
    agent: { tools: [...reactTools(), look, order, nudge(only)], memory: memoryOf(given) },
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
  const bytes = replayed.simulator.requests.map((request) => request.bytes).join("\n");
  const happened = new Set(told.flatMap(({ resets }) => resets));
  for (const { event } of await replayed.store.readEvents(replayed.key, { limit: 10_000 })) happened.add(event.kind);
  return [...SHOWN.filter((text) => !bytes.includes(text)), ...HAPPENED.filter((kind) => !happened.has(kind))];
}

function memoryOf({ prune, keeps }: Conversation): AgentMemory {
  return { prune, session: { keep_recent_turns: keeps, keep_recent_intact_turns: Math.min(2, keeps) } };
}

/** A quick run leaves out wire formats whose cache has the same rules as another format's. */
describe.each(WIRES.filter((_, nth) => bySize({ quick: nth % 2 === 0, usual: true, long: true })))(
  "$models",
  (wire) => {
    it(
      "every request of a conversation with everything that can happen is billed the read that its receipt predicted",
      async () => {
        expect(await play(wire, true, EVERYTHING)).toEqual([]);
      },
      patience,
    );

    it.each([
      ["without reasoning", false],
      ["with reasoning", true],
    ])(
      "%s, every request of a generated conversation is billed the read that its receipt predicted",
      async (_, thinks) => {
        await fc.assert(
          fc.asyncProperty(conversation, async (given) => {
            await play(wire, thinks, given);
          }),
          { numRuns: bySize({ quick: 1, usual: 2, long: 500 }), endOnFailure: true },
        );
      },
      patience,
    );
  },
);
