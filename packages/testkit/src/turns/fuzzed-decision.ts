/**
 * The worst a model might send, part by part: noise, truncated JSON, wrong types, huge values, unknown parts, and
 * errors of every kind in the middle. The parts may even violate the types of the port.
 */
import { ModelError, type ModelPart } from "@cairn/agent";
import fc from "fast-check";
import { anyCharacter } from "../any-character.ts";
import type { Reply } from "../models/index.ts";

/** The parts of one decision, in order; a part that is a function throws. */
export type FuzzedDecision = readonly unknown[];

const GIANT = 1_000_000;
const TOOLS = ["react.read", "react.write", "react.patch", "react.hide", "react.note", "react.plan", "react.memsearch"];
const NAMES = [...TOOLS, "react.search_files", "react.memory_hide", "shop.find", "ask_user", "suggest_followups"];

/** Any text: lone surrogates, control characters, lines that look like a header of the timeline. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    "",
    " \n\t",
    "[TURN turn_1] ts=",
    "[TOOL RESULT x].result",
    "✓ [1] done",
    "[[S:1]]",
    "[[S:1-999999999]]",
  ),
  fc.constantFrom("\0", "__proto__", "null", "ref:ar:turn_1.user.prompt", "../../etc/passwd"),
);

const wireName = fc.constantFrom(...NAMES.map((each) => each.replaceAll(".", "__")));
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: text });

/** Parameters that sometimes match a tool. */
const fitting = fc.record(
  {
    path: fc.oneof(text, fc.constantFrom("files/a.md", "a.md", "fi:turn_1.files/a.md")),
    paths: fc.array(text, { maxLength: 4 }),
    content: text,
    patch: fc.oneof(text, fc.constant("@@ -1,1 +1,1 @@\n-a\n+b\n")),
    channel: fc.constantFrom("timeline_text", "canvas", "internal"),
    replacement_text: text,
    mode: fc.constantFrom("new", "update", "close"),
    steps: fc.array(text, { maxLength: 4 }),
    query: text,
    name: text,
    what: text,
    question: text,
    items: fc.array(fc.oneof(text, fc.integer())),
  },
  { requiredKeys: [] },
);

const cut = (json: string, at: number) => json.slice(0, Math.floor(json.length * at));
const json = fc.oneof(
  { weight: 4, arbitrary: fitting.map((params) => JSON.stringify(params)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fitting, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([p, at]) => cut(JSON.stringify(p), at)),
  },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom("{}", "[]", "null", "42", '{"path":"\\ud800"}', '{"__proto__":{"path":"x"}}'),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(90, 150, 3_000, 50_000)
      .map((depth) => `{"what":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  },
);

const call = fc.tuple(fc.nat(3), name, json).map(([index, toolName, params]): unknown[] => [
  { type: "call", index, name: toolName },
  { type: "params", index, text: params },
]);

const said = fc
  .tuple(fc.constantFrom("text", "thinking"), text)
  .map(([type, said]): unknown[] => [{ type, text: said }]);

const strange = fc.oneof(
  fc.anything().map((part): unknown[] => [part]),
  fc
    .tuple(fc.constantFrom("text", "thinking", "call", "params", "finish"), fc.dictionary(fc.string(), fc.anything()))
    .map(([type, fields]): unknown[] => [{ ...fields, type }]),
  fc
    .record({ type: fc.constantFrom("text", "params"), text: fc.anything(), index: fc.anything() })
    .map((part): unknown[] => [part]),
  fc.record({ type: fc.constant("call"), name: fc.anything(), index: fc.anything() }).map((part): unknown[] => [part]),
);

const giant = fc.constantFrom<unknown[]>(
  [{ type: "text", text: "word ".repeat(GIANT / 5) }],
  [{ type: "call", index: 0, name: "n".repeat(GIANT) }],
  [
    { type: "call", index: 0, name: "shop.find" },
    { type: "params", index: 0, text: JSON.stringify({ what: "w".repeat(GIANT) }) },
  ],
  [
    { type: "call", index: 0, name: "react.write" },
    { type: "params", index: 0, text: JSON.stringify({ path: "big.md", content: "line\n".repeat(GIANT / 5) }) },
  ],
  Array.from({ length: 1_000 }, (_, index) => [
    { type: "call", index, name: "shop.find" },
    { type: "params", index, text: '{"what":"x"}' },
  ]).flat(),
  Array.from({ length: 32 }, (_, index) => [
    { type: "call", index, name: "shop.find" },
    { type: "params", index, text: `{"what":"${index}"}` },
  ]).flat(),
);

const thrown = fc
  .oneof(
    fc.constantFrom("transient", "context_limit", "fatal").map((kind) => new ModelError(kind as "fatal", "fuzzed")),
    fc.constantFrom<unknown>(new Error("fuzzed"), "fuzzed", undefined, null, { code: "x" }),
  )
  .map((error): unknown[] => [
    () => {
      throw error;
    },
  ]);

const usage = fc.oneof(
  fc.record({ input: fc.nat(5_000), output: fc.nat(500), cacheRead: fc.nat(900), cacheWrite: fc.nat(900) }),
  fc.constantFrom<unknown>(
    undefined,
    null,
    {},
    { input: Number.NaN, output: -1, cacheRead: "1", cacheWrite: Infinity },
  ),
);
const finish = fc
  .tuple(fc.constantFrom<unknown>("stop", "calls", "length", "refusal", "other", "weird", undefined), usage)
  .map(([reason, used]): unknown[] => [{ type: "finish", reason, usage: used }]);

const pieces = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: call },
    { weight: 4, arbitrary: said },
    { weight: 2, arbitrary: strange },
    { weight: 1, arbitrary: thrown },
  ),
  { maxLength: 5 },
);

export const fuzzedDecision: fc.Arbitrary<FuzzedDecision> = fc
  .tuple(
    fc.oneof({ weight: 120, arbitrary: pieces }, { weight: 1, arbitrary: giant.map((parts) => [parts]) }),
    fc.option(finish, { freq: 8 }),
  )
  .map(([given, end]) => [...given.flat(), ...(end ?? [])]);

/** Sends the parts as if they had the types of the port, although some do not. */
export async function* sendFuzzed(decision: FuzzedDecision): AsyncGenerator<ModelPart> {
  for (const part of decision) {
    if (typeof part === "function") part();
    yield part as ModelPart;
  }
}

/** Answers over the wire, of a server that follows the protocol but makes no sense. */
export const fuzzedReply: fc.Arbitrary<Reply> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record(
      {
        text,
        thinking: text,
        calls: fc.array(fc.record({ name: fc.oneof(wireName, text), rawInput: json }), { maxLength: 4 }),
        truncated: fc.boolean(),
        pieceSize: fc.constantFrom(1, 7, 1_000),
        refusal: fc.constantFrom("No."),
        interrupt: fc.record({ after: fc.nat(3), by: fc.constantFrom("cut" as const, "error" as const) }),
      },
      { requiredKeys: [] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Reply>(
      { fault: "overloaded" },
      { fault: "rate_limited", retryAfter: 1 },
      { fault: "context_limit" },
      { fault: "cut" },
      { fault: "status", status: 500, body: "<html>" },
      { fault: "status", status: 200, body: "not an event stream" },
      { fault: "status", status: 401 },
      { text: "word ".repeat(GIANT / 5), pieceSize: 50_000 },
      { calls: Array.from({ length: 1_000 }, () => ({ name: "shop__find", rawInput: '{"what":1}' })) },
    ),
  },
);
