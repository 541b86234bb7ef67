import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamedParam } from "./streamed-param.ts";

/** The value that is read from the JSON when it is split at these positions. */
function read(json: string, cuts: readonly number[] = []) {
  const reader = new StreamedParam("content", "path");
  const places = [0, ...[...cuts].sort((a, b) => a - b), json.length];
  const text = places.map((start, at) => reader.push(json.slice(start, places[at + 1] ?? json.length))).join("");
  return { text, path: reader.path };
}

const cuts = fc.array(fc.nat(400), { maxLength: 40 });
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('"', "\\", "\n", "u", "é", "\ud83d", "\ude00") }),
);
const params = fc.dictionary(
  fc.oneof(fc.constantFrom("content", "path", "kind", "co", "content "), anyText),
  fc.oneof(anyText, fc.jsonValue({ maxDepth: 3 }), fc.record({ content: anyText })),
);

describe("a parameter that is read while it streams", () => {
  it("has the value that JSON.parse gives, however the JSON is split, spaced and ordered", () => {
    fc.assert(
      fc.property(params, cuts, fc.constantFrom(undefined, 1, "\t"), (given, at, indent) => {
        const parsed = JSON.parse(JSON.stringify(given));
        const text = typeof parsed.content === "string" ? parsed.content : "";
        const path = typeof parsed.path === "string" ? parsed.path : null;
        expect(read(JSON.stringify(given, null, indent), at)).toEqual({ text, path });
      }),
      { numRuns: runs },
    );
  });

  it("is the same when every character is written as an escape", () => {
    const escaped = (text: string) =>
      text
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
    fc.assert(
      fc.property(anyText, cuts, (content, at) => {
        const json = `{"${escaped("content")}" : "${escaped(content)}"}`;
        expect(read(json, at).text).toBe(JSON.parse(json).content);
      }),
      { numRuns: runs },
    );
  });

  it("does not depend on how the input is split and never throws, whatever the input", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom("{", "}", "[", '"', '"content":', "\\", "\\u00", ",", ":", " ", '"a"', "1"),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(pieces, cuts, (noise, at) => {
        const json = noise.join("");
        expect(read(json, at)).toEqual(read(json));
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ['{"content":"a","content":"b"}', "a"],
    ['{"x":{"content":"inner"},"content":"outer"}', "outer"],
    ['{"content":"cut off \\u00e', "cut off "],
    ['{"content":"wrong \\x escape"}', "wrong "],
    ['["content","a"]', ""],
    ['{"content":["a"]}', ""],
    ['{"content":null,"path":"p"}', ""],
    ["", ""],
  ])("of %s is %j", (json, text) => {
    expect(read(json).text).toBe(text);
  });

  it("takes linear time, in pieces of any size", () => {
    const growth = growthOnDoubling(
      (size) => JSON.stringify({ path: "a.md", content: 'line "one"\n'.repeat(size) }),
      (json) => {
        const reader = new StreamedParam("content", "path");
        for (let at = 0; at < json.length; at += 7) reader.push(json.slice(at, at + 7));
      },
      10_000,
    );
    expect(growth).toBeLessThan(3);
  });
});
