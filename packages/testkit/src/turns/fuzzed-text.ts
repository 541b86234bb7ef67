/**
 * Answers of a model that calls tools in text and does it badly: tags without ends, wrong codes, broken JSON, fences,
 * thinking, other languages and noise, in any order and in pieces of any size. `CODE` stands for the code that marks
 * calls in the texts of the conversation.
 */
import type { ModelPart } from "@cairn/agent";
import fc from "fast-check";
import { anyCharacter } from "../any-character.ts";

export interface FuzzedText {
  readonly text: string;
  /** Number of characters in a piece of streamed text. */
  readonly size: number;
  readonly reason: "stop" | "length" | "other";
}

const NAMES = [
  "react.read",
  "react__write",
  "React.Note",
  "plan",
  "ask_user",
  "suggest_followups",
  "shop.find",
  "",
  "…",
];
const PARAMS = ["path", "paths", "content", "query", "text", "what", "question", "items", "channel", "mode", "steps"];
const name = fc.constantFrom(...NAMES);
const param = fc.constantFrom(...PARAMS);
const noise = fc.string({ unit: anyCharacter, maxLength: 30 });

const value = fc.oneof(
  fc.constantFrom(
    "a.md",
    "files/a.md",
    "canvas",
    "internal",
    "new",
    "ref:ar:turn_1.user.prompt",
    "True",
    "[",
    "'",
    '"',
  ),
  fc.json({ maxDepth: 2 }),
  noise,
);
const quote = fc.constantFrom('"', "'", "“", "", '"""');
const entry = fc.tuple(quote, param, value).map(([mark, key, given]) => `${mark}${key}${mark}: ${mark}${given}${mark}`);
const json = fc.oneof(
  fc.array(entry, { maxLength: 4 }).map((entries) => `{${entries.join(", ")}}`),
  fc.dictionary(param, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }).map((params) => JSON.stringify(params)),
  fc.constantFrom(
    "{",
    "}",
    "{}",
    "[]",
    "null",
    '{"what": [',
    '{"path": "a.md", "content": "x',
    `{"what":${"[".repeat(500)}`,
  ),
);

const open = fc
  .tuple(fc.constantFrom("<call-CODE ", "<call-CODE tool=", "< Call_code:CODE ", "<call ", "<call-000000 "), name)
  .chain(([begin, called]) =>
    fc.constantFrom(`${begin}${called}>`, `${begin}"${called}"\n`, `${begin}${called}/>`, begin),
  );
const close = fc.constantFrom("</call-CODE>", "</call>", "</tool_call>", "<call-CODE", "</call-COD", "");
const call = fc.tuple(open, json, fc.option(fc.tuple(param, noise)), close).map(([begin, body, raw, end]) => {
  const text = raw === null ? "" : `\n<param-CODE ${raw[0]}>\n${raw[1]}\n</param-CODE>`;
  return `${begin}\n${body}${text}\n${end}`;
});
const other = fc.constantFrom(
  ...["```json\n", "```\n", "\n~~~\n", "<think>", "</think>", "<thinking>", "</reasoning>", "<", "</", "<param-CODE "],
  ...["<param-CODE content>", "</param-CODE>", "</call-CODE>", "CODE", "[TOOL CALL tc_1].call react.read\nParams:\n{}"],
  ...[
    '{"name": "react.read", "arguments": {"paths": []}}',
    "<tool_call>",
    "Ich schaue nach.",
    "让我看看。",
    "سأبحث.",
    "\n\n",
  ],
);

const written = fc.oneof(
  { weight: 5, arbitrary: call },
  { weight: 3, arbitrary: other },
  { weight: 2, arbitrary: noise },
  { weight: 1, arbitrary: json },
);

export const fuzzedText: fc.Arbitrary<FuzzedText> = fc.record({
  text: fc.array(written, { maxLength: 6 }).map((parts) => parts.join("")),
  size: fc.constantFrom(1, 3, 17, 10_000),
  reason: fc.constantFrom("stop" as const, "stop" as const, "stop" as const, "length" as const, "other" as const),
});

/** Streams the answer in a conversation with this code. */
export async function* sendText({ text, size, reason }: FuzzedText, code: string): AsyncGenerator<ModelPart> {
  const answer = text.replaceAll("CODE", code);
  for (let at = 0; at < answer.length; at += size) yield { type: "text", text: answer.slice(at, at + size) };
  yield { type: "finish", reason, usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 } };
}
