/**
 * Tests fuzzed answers over every wire format: the output of a turn is always the first answer that matches the schema.
 */
import { type Reply, simulatorEnv } from "@cairn/testkit/models";
import { patience } from "@cairn/testkit/patience";
import { bySize } from "@cairn/testkit/runs";
import { ManualClock, MemoryStore } from "@cairn/testkit/store";
import { TurnBench } from "@cairn/testkit/turns";
import { isJsonObject, type Json, type JsonObject, structuredOutput } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveModel } from "../resolve/resolve-model.ts";

const MODELS = [
  "anthropic:claude-sonnet-5",
  "bedrock:us.anthropic.claude-sonnet-5",
  "openai:gpt-6.1-sol",
  "google:gemini-4-argon",
  "openai-compatible:gpt-4.1",
];
const ENV = (url: string) => ({ ...simulatorEnv(url), CAIRN_MODEL_CONTEXT_TOKENS: "200000" });
/** Number of answers: each takes about ten milliseconds, and a long run has at least 12,500. */
const ANSWERS = bySize({ quick: 8, usual: 20, long: 2_500 });
const CONVERSATION = 8;
const ATTEMPTS = 4;

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    score: { type: "number", minimum: 0, maximum: 10 },
    kind: { type: "string", enum: ["good", "bad"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 2 },
  },
  required: ["score", "kind", "tags"],
  additionalProperties: false,
};

/** Whether the value matches `SCHEMA`, checked without any library. */
function matches(value: Json): boolean {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== "kind,score,tags") return false;
  const { score, kind, tags } = value;
  if (typeof score !== "number" || score < 0 || score > 10 || (kind !== "good" && kind !== "bad")) return false;
  return Array.isArray(tags) && tags.length <= 2 && tags.every((tag) => typeof tag === "string");
}

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("[[S:1]]", "```", "[TURN turn_1]", "\u2028", '"'));
const valid = fc.record({
  score: fc.double({ min: 0, max: 10, noNaN: true }).map((score) => (Object.is(score, -0) ? 0 : score)),
  kind: fc.constantFrom("good", "bad"),
  tags: fc.array(text, { maxLength: 2 }),
});
const broken = fc.oneof(
  valid.map(({ tags: _, ...rest }) => rest),
  valid.map((value) => ({ ...value, more: 1 })),
  valid.map((value) => ({ ...value, score: 11 })),
  valid.map((value) => ({ ...value, kind: "great" })),
  valid.map((value) => ({ ...value, tags: ["a", "b", "c"] })),
  fc.constantFrom<Json>(null, [], {}, 3, "good", { output: {} }, { __proto__: null }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

interface Answer {
  readonly reply: Reply;
  readonly value: Json | undefined;
}

const given = fc.tuple(fc.oneof(valid, broken), fc.constantFrom("text", "fenced", "call", "string")).map(
  // The names and values in both texts are equal JSON, but are written in different ways.
  ([value, form]): Answer => {
    const json = JSON.stringify(value);
    const call = (output: Json) => ({ calls: [{ name: "give_output", input: { output } }] });
    if (form === "text") return { reply: { text: json }, value };
    if (form === "fenced") return { reply: { text: `\`\`\`json\n${json}\n\`\`\`` }, value };
    return { reply: call(form === "call" ? value : json), value: form === "call" ? readBack(value) : value };
  },
);
/** A text that a model gives as the value is read as JSON. */
function readBack(value: Json): Json | undefined {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return undefined;
  }
}
const noise = fc.oneof(
  valid.chain((value) =>
    fc.nat(JSON.stringify(value).length - 1).map((at) => JSON.stringify(value).slice(0, Math.max(1, at))),
  ),
  fc.constantFrom("I think it is good.", "[".repeat(3_000), "{".repeat(50), "undefined", "NaN"),
);
const answer = fc.oneof(
  { weight: 3, arbitrary: given },
  { weight: 1, arbitrary: noise.map((words): Answer => ({ reply: { text: words }, value: undefined })) },
);
const conversation = fc.array(fc.array(answer, { minLength: ATTEMPTS, maxLength: ATTEMPTS }), {
  minLength: CONVERSATION,
  maxLength: CONVERSATION,
});

describe("structured output of a model that answers anything", { timeout: patience }, () => {
  it.each(MODELS)("is the first value that matches the schema, or the turn fails: %s", async (name) => {
    let asked = 0;
    const play = async (turns: readonly (readonly Answer[])[]) => {
      // A store in memory, because writing to a disk would take half of the time.
      const openStore = async () => new MemoryStore(new ManualClock());
      await using bench = await TurnBench.open({ openStore, model: (url) => resolveModel(name, ENV(url)) });
      const left: Answer[] = [];
      const reply = () => left.shift()?.reply ?? { text: "There is nothing left." };
      bench.simulator.script([{ reply, times: Number.POSITIVE_INFINITY }]);
      for (const [nth, answers] of turns.entries()) {
        left.splice(0, left.length, ...answers);
        const outcome = await bench.turn(`Grade ${nth}`, SCHEMA);
        const expected = answers.find(({ value }) => value !== undefined && matches(value))?.value;
        const end = outcome.status === "ended" ? outcome.end : expect.unreachable();
        expect(end.output).toEqual(expected);
        expect(end).toMatchObject(
          expected === undefined ? { exit: "error", error: { code: "bad_output" } } : { exit: "complete" },
        );
        const block = (await bench.blocks()).findLast(({ type }) => type === "assistant.completion");
        expect(block === undefined ? undefined : structuredOutput(block)).toEqual(expected);
      }
      expect(bench.simulator.requests.filter(({ refusal }) => refusal !== null)).toEqual([]);
      expect(await bench.store.verifyConversation(bench.key)).toEqual([]);
      asked += bench.simulator.requests.length;
    };
    // Several turns run at the same time, because each waits for its sockets most of the time.
    while (asked < ANSWERS)
      await Promise.all(
        Array.from({ length: 2 }, () => fc.assert(fc.asyncProperty(conversation, play), { numRuns: 1 })),
      );
  });
});
