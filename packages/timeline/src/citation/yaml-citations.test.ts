import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractCitations } from "./extract-citations.ts";
import { readYamlCitations } from "./yaml-citations.ts";

const sidsIn = (text: string) => extractCitations(text, "yaml");

const READ: readonly (readonly [string, string, readonly number[]])[] = [
  ["a block list with flow sids", "citations:\n  - sids: [1, 3]\n  - sids: [4]\n", [1, 3, 4]],
  ["block sids", "citations:\n  - sids:\n      - 1\n      - 3\n  - quote: x\n    sids:\n    - 4\n", [1, 3, 4]],
  ["lists at their key's column", "citations:\n- sids:\n  - 1\n  - 2\n- sids: [3]\nother: 1\n", [1, 2, 3]],
  ["flow citations", "citations: [{sids: [1, 3], quote: a}, {quote: 'b: c', sids: [4]}]", [1, 3, 4]],
  ["flow over several lines", "citations: [\n  {sids: [1,\n    3]},\n  # no\n  {sids: [4]}, # yes\n]\nx: 1", [1, 3, 4]],
  ["flow items in a block list", 'citations:\n  - {sids: [1], q: "]}"}\n  - {"sids":[2]}\n', [1, 2]],
  ["sids over several lines", "citations:\n  - sids: [\n      1, 2\n    ]\n    q: x\n  - sids: [3]", [1, 2, 3]],
  ["quoted keys and ids", "\"citations\":\n  - 'sids': ['1', \"2\"]\n  - \"sids\":\n    - '3'\n", [1, 2, 3]],
  ["comments", "# a\ncitations: # b\n  # c\n  - sids: [1] # d\n  -  # e\n    sids: # f\n      - 2 # g\n", [1, 2]],
  ["CRLF", "a: 1\r\ncitations:\r\n  - sids: [1]\r\n  - sids:\r\n    - 2\r\n", [1, 2]],
  ["documents", "%YAML 1.2\n---\ncitations:\n- sids: [1]\n---\ncitations:\n- sids: [2]\n...\n", [1, 2]],
  ["an indented document", "  citations:\n    - sids: [1]\n", [1]],
  ["JSON", '{"citations": [{"sids": [1, "3"]}]}', [1, 3]],
  ["a flow document", "--- \n{citations: [{sids: [1]}], x: y}", [1]],
  ["a flow document after its marker", "--- {citations: [{sids: [1]}]}\n", [1]],
  ["a byte order mark", "\ufeffcitations: [{sids: [1]}]", [1]],
  [
    "other keys in any order",
    "t: |\n  citations:\n  - sids: [9]\ncitations:\n  - a: 1\n    sids: [1]\n    b: [2]\n",
    [1],
  ],
  ["blank lines", "citations:\n\n  - sids:\n\n      - 1\n\n\n      - 2\n", [1, 2]],
  ["repeats once", "citations:\n  - sids: [2, 1, 2]\n  - sids: [1]\n", [2, 1]],
];

const IGNORED: readonly (readonly [string, string])[] = [
  ["nested citations", "a:\n  citations:\n    - sids: [1]\n"],
  ["a key that only starts so", "citations_old:\n  - sids: [1]\n"],
  ["a block scalar", "t: |\n citations:\n   - sids: [1]\n"],
  ["a document that is a block scalar", "--- |\ncitations:\n- sids: [1]\n"],
  ["sids inside a block scalar", "citations:\n  - quote: |\n      sids: [1]\n    x: y\n"],
  ["an item that is a block scalar", "citations:\n- |\n  sids: [1]\n"],
  ["an item that is a string", 'citations:\n- "a\n  sids: [1]"\n- b: "\n    sids: [2]"\n'],
  ["deeper sids", "citations:\n  - quote:\n      sids: [1]\n"],
  ["sids in a nested list", "citations:\n  - - sids: [1]\n"],
  ["a mapping in place of the list", "citations:\n  sids: [1]\n"],
  ["sids that are no list", "citations:\n  - sids: 1\n  - sids: {a: 2}\n  - sids: [[3]]\n"],
  [
    "ids that are no ids",
    "citations:\n  - sids: [a, -1, 1.5, 1234567890, ~, 0x1, 'x', 1 2]\n  - sids:\n    - a\n    - 1 2\n",
  ],
  ["a comment", "# citations: [{sids: [1]}]\n"],
  ["a flow that is never closed", "citations: [{sids: [1]}"],
  ["a flow that is closed wrongly", "citations: [{sids: [1}]]"],
  ["a list", "- citations:\n  - sids: [1]\n"],
  ["tokens", "text: '[[S:1]]' # citations\n"],
  ["prototype keys", "citations: [{__proto__: {sids: [1]}}]\n"],
];

describe("YAML citations", () => {
  it.each(READ)("reads %s", (_name, text, sids) => {
    expect(sidsIn(text)).toEqual(sids);
  });

  it.each(IGNORED)("ignores %s", (_name, text) => {
    expect(sidsIn(text)).toEqual([]);
  });

  it("never throws, whatever the text", () => {
    const part = fc.constantFrom(
      "citations:",
      "sids:",
      "- ",
      "-",
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
      " ",
      "\n",
      "\n  ",
      "#",
      '"',
      "'",
      "\\",
      "1",
      "|",
      "---",
      "\ud83d",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        readYamlCitations(`citations:${parts.join("")}`);
      }),
      { numRuns: runs },
    );
  });

  it("lists written in block or flow style read the same", () => {
    const lists = fc.array(fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(lists, (all) => {
        const expected = [...new Set(all.flat())];
        const block = all
          .map((sids) => `  - q: "a: b"\n    sids:\n${sids.map((sid) => `      - ${sid}\n`).join("")}`)
          .join("");
        const flow = all.map((sids) => `{sids: [${sids.join(", ")}], q: x}`).join(",\n ");
        expect(sidsIn(`a: 1\ncitations:\n${block}b: 2\n`)).toEqual(expected);
        expect(sidsIn(`a: 1\ncitations: [${flow}]\nb: 2\n`)).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });

  it.each<[string, (size: number) => string]>([
    ["openings", (size) => `citations: ${"[".repeat(size)}`],
    ["flows that never close", (size) => `citations:\n${"- {sids: [\n".repeat(size)}`],
    ["sids that never close", (size) => `citations:\n${"- sids: [1,\n".repeat(size)}`],
    ["strings that never close", (size) => `citations:\n${"- '\n- \"\\\n".repeat(size)}`],
    ["items", (size) => `citations:\n${"- sids: [1, 2]\n".repeat(size)}`],
    ["keys", (size) => "citations:\n".repeat(size)],
    ["a long line", (size) => `citations: ${" ".repeat(size * 10)}\n- sids: [${"1, ".repeat(size)}]`],
    ["colons", (size) => `citations:\n- ${":".repeat(size * 10)}`],
    ["nested lists", (size) => `citations: ${"[".repeat(size)}${"]".repeat(size)}`],
    ["comments", (size) => `citations: [${" # x\n".repeat(size)}]`],
  ])("%s without number: time grows with the length alone", (_name, make) => {
    expect(growthOnDoubling(make, sidsIn, 4_000)).toBeLessThan(3);
  });
});
