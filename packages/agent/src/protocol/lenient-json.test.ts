import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LenientJson } from "./lenient-json.ts";

/** The JSON that the reader makes from the pieces. */
function read(...pieces: readonly string[]): string {
  const json = new LenientJson();
  const written = pieces.map((piece) => json.push(piece).json).join("") + json.end();
  return json.hasBegun ? `${written}}` : written;
}

/** Cuts a text at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...places.map((place) => place % (text.length + 1)), 0, text.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

const places = fc.array(fc.nat(), { maxLength: 8 });
const anyObject = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

it("valid JSON keeps its meaning, however it is split", () => {
  fc.assert(
    fc.property(anyObject, fc.constantFrom(0, 2), places, (value, indent, at) => {
      const json = JSON.stringify(value, null, indent);
      expect(JSON.parse(read(...cut(json, at)))).toEqual(JSON.parse(json));
    }),
    { numRuns: costlyRuns },
  );
});

it("any text becomes JSON, however it is split", () => {
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom(..."{}[]:,\"'`\\/*#\n u00e9“”：，=", '"""', "True", "//", "\\u12", "12", "-"),
      fc.string(),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(noise, places, (given, at) => {
      const text = `{${given.join("")}`;
      const whole = read(text);
      expect(() => JSON.parse(whole.toWellFormed())).not.toThrow();
      expect(read(...cut(text, at))).toBe(whole);
    }),
    { numRuns: costlyRuns },
  );
});

/** Writes a value as a careless model might write it. */
function carelessly(value: unknown, quote: string): string {
  if (typeof value === "string") {
    const inside = value.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
    return `${quote}${inside}${quote}`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => `${carelessly(item, quote)}, `).join("")}]`;
  if (typeof value !== "object" || value === null)
    return value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, item]) => `${carelessly(name, quote)} : ${carelessly(item, quote)},\n`,
  );
  return `{ // what it takes\n${entries.join("")}}`;
}

it("other quotes, raw line breaks, Python's words, comments and commas at the end keep the meaning", () => {
  fc.assert(
    fc.property(anyObject, fc.constantFrom('"', "'"), places, (value, quote, at) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      expect(JSON.parse(read(...cut(carelessly(plain, quote), at)))).toEqual(plain);
    }),
    { numRuns: costlyRuns },
  );
});

it.each([
  ["text and a fence before the object", 'Here:\n```json\n{"a": 1}', { a: 1 }],
  ["names without quotes", "{path: 'a.md', n: 1,}", { path: "a.md", n: 1 }],
  ["missing brackets", '{"a": [1, {"b": "c', { a: [1, { b: "c" }] }],
  ["a wrong bracket", '{"a": [1, 2}', { a: [1, 2] }],
  ["missing commas", '{"a": "x"\n "b": 2\n "c": [1 , 2]}', { a: "x", b: 2, c: [1, 2] }],
  ["quotes that are not escaped", '{"a": "he said "hi" to me", "b": 1}', { a: 'he said "hi" to me', b: 1 }],
  ["an apostrophe in single quotes", "{'a': 'it's mine', 'b': 1}", { a: "it's mine", b: 1 }],
  ["escapes that JSON does not have", String.raw`{"a": "\d+ \'x\' \u12"}`, { a: String.raw`\d+ 'x' \u12` }],
  ["three quotes", '{"code": """print("hi")\nx = 1"""}', { code: 'print("hi")\nx = 1' }],
  ["typographic quotes and full-width marks", "{“查询”：“天气”，“n”：2}", { 查询: "天气", n: 2 }],
  ["a text without quotes", '{"query": who is Ada Lovelace, "n": 5}', { query: "who is Ada Lovelace", n: 5 }],
  ["a missing value", '{"a": , "b"}', { a: null, b: null }],
  ["text after the object", '{"a": 1} and more', { a: 1 }],
])("%s", (_, given, expected) => {
  expect(JSON.parse(read(given))).toEqual(expected);
});
