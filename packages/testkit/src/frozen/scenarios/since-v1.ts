/** Conversations with the data that versions after the first set write. */
import type { AgentDefinition, AgentHooks } from "@cairn/agent";
import { releaseTurn } from "@cairn/agent";
import type { JsonObject } from "@cairn/timeline";
import { tokensOf } from "../../turns/trace.ts";
import { frozenTools, laterTools } from "./frozen-tools.ts";
import type { PlayedConversation, PlayOptions } from "./played-conversation.ts";
import { calls, looks, type Scenario, says, scenario, step } from "./scenario.ts";

/** One model of each wire form. */
const WIRES: Readonly<Record<string, PlayOptions>> = {
  anthropic: { model: "anthropic:claude-sonnet-5" },
  bedrock: { model: "bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0" },
  google: { model: "google:gemini-3.8-flash" },
  responses: { model: "openai:gpt-6.1-sol" },
  chat: { model: "openai-compatible:deepseek-v4-pro", server: "deepseek" },
};

const withLaterTools: PlayOptions = {
  agent: { tools: [...frozenTools({ effect: () => undefined, ask: async () => undefined }), ...laterTools] },
};
const order = calls(["site.order", { what: "tea" }]);
const GRADE: JsonObject = {
  type: "object",
  properties: { score: { type: "number" }, why: { type: "string" } },
  required: ["score", "why"],
  additionalProperties: false,
};

async function waits(played: PlayedConversation, tool: string, input: Record<string, unknown>): Promise<void> {
  const outcome = await played.turn("Do it.", [calls([tool, input])]);
  if (outcome === "parked" || outcome.status !== "waiting") throw new Error("The turn does not wait.");
}

/** Conversations with reasoning, calls that settle together after an approval, values as answers, and a summary. */
const perWire: readonly Scenario[] = Object.entries(WIRES).flatMap(([name, options]) => [
  scenario(
    `reasoned-${name}`,
    async (played) => {
      await played.turn("What is in a?", [
        { thinking: "I look first.", text: "One moment.", ...looks("a", 30) },
        { thinking: "Now I know.", text: "Words." },
      ]);
      await played.say("And in b?", "turn", { reasoning: { effort: "high" } });
      await played.run([{ thinking: "Once more.", ...looks("b", 30) }], {
        parkAt: step(/^after append .*call\.settled/),
      });
      await played.run([says("Words.")]);
    },
    { ...options, agent: { request: { reasoning: { effort: "medium" } } } },
  ),
  scenario(
    `settled-together-${name}`,
    async (played) => {
      await played.turn("Order tea and look.", [
        calls(["site.look", { what: "tea", words: 30 }], ["site.order", { what: "tea" }]),
      ]);
      await played.decide(true, { reason: "It is cheap.", remember: true });
      await played.run([calls(["site.order", { what: "milk" }], ["site.fail", { what: "coffee" }]), says("Ordered.")]);
    },
    options,
  ),
  scenario(
    `output-${name}`,
    async (played) => {
      await played.say("Grade it.", "turn", { output: GRADE });
      await played.run([says('{"score": "three"}'), looks("it", 20), says('{"score": 3, "why": "It is short."}')]);
      await played.turn("Why?", [says("Because.")]);
    },
    options,
  ),
  scenario(
    `summarised-${name}`,
    async (played) => {
      for (const what of ["a", "b", "c", "d"])
        await played.turn(`${tokensOf(what, 1_500)} What is that?`, [says(tokensOf(`the answer ${what}`, 800))]);
    },
    { ...options, contextTokens: 9_000 },
  ),
]);

const answers: readonly Scenario[] = [
  scenario("approval-edited", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(true, { params: { what: "green tea" }, reason: "Green is healthier." });
    await played.run([says("Ordered.")]);
  }),
  scenario("approval-edited-not-run", async (played) => {
    await played.turn("Order tea.", [order]);
    await played.decide(true, { params: { what: "green tea" } });
  }),
  scenario("client-call-open", (played) => waits(played, "site.place", {}), withLaterTools),
  scenario(
    "client-call-answered",
    async (played) => {
      await waits(played, "site.place", {});
      await played.decide(true, { output: { city: "Wuppertal" } });
      await played.run([says("You are in Wuppertal.")]);
      await waits(played, "site.place", {});
      await played.decide(true, { error: "The position is not known." });
      await played.run([says("I do not know where you are.")]);
    },
    withLaterTools,
  ),
  scenario("question-open", (played) => waits(played, "site.confirm", { what: "shirt" }), withLaterTools),
  scenario(
    "question-answered-not-run",
    async (played) => {
      await waits(played, "site.confirm", { what: "shirt" });
      await played.decide(true, { answer: { size: "M" } });
    },
    withLaterTools,
  ),
  scenario(
    "question-asked-again",
    async (played) => {
      await waits(played, "site.confirm", { what: "shirt" });
      await played.decide(true, { answer: { size: "M" } });
      await played.run();
      await played.decide(true, { answer: { colour: "red" } });
      await played.run([says("Ordered.")]);
      await waits(played, "site.confirm", { what: "hat" });
      await played.decide(false, { dismiss: true });
      await played.run([says("Not ordered.")]);
    },
    withLaterTools,
  ),
];

const hooks: AgentHooks = {
  beforeTurn: ({ scope }) => ({ notice: `The caller is ${scope.user}.` }),
  beforeRequest: ({ decisions }) => (decisions === 1 ? { notice: "Be short." } : undefined),
  afterRequest: ({ text }) => (text.includes("rude") ? { refuse: "Stay polite." } : undefined),
  beforeTool: ({ tool, params }) => (tool === "site.order" ? { params: { ...params, what: "water" } } : undefined),
  afterTool: ({ tool }) => (tool === "site.fail" ? { refuse: "That is secret." } : { result: "Changed." }),
};
const hooked: Partial<AgentDefinition> = { hooks };

const changed: readonly Scenario[] = [
  scenario("hooked", async (played) => {
    await played.turn("Order tea.", [order], { agent: hooked });
    await played.decide(true);
    const replies = [calls(["site.send", { what: "a" }]), calls(["site.fail", { what: "b" }]), says("A rude answer.")];
    await played.run([...replies, says("A polite answer.")], { agent: hooked });
    const beforeTurn: NonNullable<AgentHooks["beforeTurn"]> = () => ({ refuse: "Your account is blocked." });
    await played.turn("Once more.", [], { agent: { hooks: { beforeTurn } } });
  }),
  scenario("hooked-approval-open", (played) => played.turn("Order tea.", [order], { agent: hooked })),
  scenario("with-context", async (played) => {
    const announce: AgentDefinition["announce"] = ({ context }) => `Plan: ${context.plan}`;
    await played.say("Look.", "turn", { context: { plan: "pro" } });
    await played.run([looks("a", 20), says("Done.")], { agent: { announce } });
    await played.say("Again.", "turn", {
      context: { plan: "free" },
      reasoning: { budget_tokens: 2_000 },
      output: GRADE,
    });
  }),
  scenario("orders-changed", async (played) => {
    await played.order({ text: "Answer in French.", kind: "language" });
    await played.turn("Hello.", [says("Bonjour.")]);
    await played.turn("Remember: always use short sentences.", [says("Bien.")]);
    await played.order({ text: "Use metres.", kind: "units" });
  }),
  scenario("withdrawn", async (played) => {
    await played.turn("One.", [says("Done.")]);
    await played.attach("notes.txt", "text/plain", "Never read.");
    await played.say("Withdrawn.");
    await played.withdraw();
    await played.turn("Two.", [says("Done.")]);
  }),
  scenario("withdrawn-all", async (played) => {
    await played.say("Withdrawn.");
    await played.withdraw();
  }),
  scenario(
    "clipped",
    async (played) => {
      await played.turn("What is in a?", [looks("a", 9_000), says("Many words.")]);
      await played.turn("And in b?", [looks("b", 9_000), says("Many more.")]);
    },
    { contextTokens: 12_000 },
  ),
];

/** The process ends directly after it has recorded its attempt. */
const die = (played: PlayedConversation) =>
  played.run([], { parkAt: step(/^after append .*turn\.(attempted|opened)/) });

const lives: readonly Scenario[] = [
  scenario("attempted-twice", async (played) => {
    await played.say("A message that ends processes.");
    await die(played);
    await die(played);
  }),
  scenario("quarantined", async (played) => {
    await played.say("A message that ends processes.");
    for (let life = 1; life <= 3; life++) await die(played);
    await played.run();
    await played.turn("Another.", [says("Done.")]);
  }),
  scenario("quarantine-released", async (played) => {
    await played.say("A message that ends processes.");
    for (let life = 1; life <= 3; life++) await die(played);
    await played.run();
    const { store, clock } = played.place;
    const turnId = (await store.load(played.key)).state.turnIds.at(-1) ?? "";
    await releaseTurn(store, played.key, turnId, clock.time);
  }),
  scenario("suspended", async (played) => {
    const stop = new AbortController();
    const beforeRequest: AgentHooks["beforeRequest"] = ({ decisions }) => {
      if (decisions === 0) stop.abort(new Error("The server stops."));
      return undefined;
    };
    const agent = { hooks: { beforeRequest } };
    const outcome = await played.turn("Look.", [], { agent, stop: stop.signal });
    if (outcome !== "parked") throw new Error("The turn was not suspended.");
  }),
];

export const sinceV1Scenarios: readonly Scenario[] = [...perWire, ...answers, ...changed, ...lives];
