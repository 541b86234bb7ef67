import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IdRange, MAX_TOKEN_CHARS, TokenScanner } from "./token-scanner.ts";

interface Found {
  readonly text: string;
  readonly ranges: readonly IdRange[];
}

function scan(text: string): { tokens: Found[]; held: string } {
  const scanner = new TokenScanner();
  const tokens: Found[] = [];
  scanner.scan(text, (start, end, ranges) => tokens.push({ text: text.slice(start, end), ranges }));
  return { tokens, held: text.slice(text.length - scanner.held) };
}

const tokensIn = (text: string) => scan(text).tokens.map((token) => token.text);
const rangesIn = (text: string) => scan(text).tokens.map((token) => token.ranges.map(({ lo, hi }) => [lo, hi]));

describe("the grammar", () => {
  it.each([
    ["[[S:1]]", [[1, 1]]],
    ["[[s:1]]", [[1, 1]]],
    ["[[ S : 1 ]]", [[1, 1]]],
    [
      "[[\tS\t:\t1\t,\t2\t]]",
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      "[[S:1,2,3]]",
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    ],
    ["[[S:1-3]]", [[1, 3]]],
    ["[[S:1–3]]", [[1, 3]]],
    ["[[S:3-1]]", [[1, 3]]],
    ["[[S:0]]", [[0, 0]]],
    ["[[S:007]]", [[7, 7]]],
    ["[[S:999999999]]", [[999999999, 999999999]]],
    ["［［S：1］］", [[1, 1]]],
    ["[［S：1]］", [[1, 1]]],
    [
      "[[S:1-3 , 9]]",
      [
        [1, 3],
        [9, 9],
      ],
    ],
  ])("reads %j", (text, ranges) => {
    expect(tokensIn(text)).toEqual([text]);
    expect(rangesIn(text)).toEqual([ranges]);
  });

  it.each([
    "",
    "[S:1]",
    "[[S:1]",
    "[[S:1;2]]",
    "[[S:]]",
    "[[S:,1]]",
    "[[S:1,]]",
    "[[S:1,,2]]",
    "[[S:1 2]]",
    "[[S:1 -2]]",
    "[[S:1- 2]]",
    "[[S:1-]]",
    "[[S:-1]]",
    "[[S:1-2-3]]",
    "[[S:1—2]]",
    "[[S:1:2]]",
    "[[S:1.5]]",
    "[[S:1234567890]]",
    "[[S:1-1234567890]]",
    "[[S1]]",
    "[[SS:1]]",
    "[[X:1]]",
    "[[S:١]]",
    "[[S:１]]",
    "[[ſ:1]]",
    "[[S:\u00a01]]",
    "[[S:1\n]]",
    "[[S:1] ]",
    "[ [S:1]]",
    "[[S:1]\u0000]",
    "[[S:\ud83d1]]",
  ])("leaves %j as plain text", (text) => {
    expect(tokensIn(text)).toEqual([]);
  });

  it.each([
    ["[[[S:1]]", ["[[S:1]]"]],
    ["[[[[S:1]]]]", ["[[S:1]]"]],
    ["[[S:[[S:1]]", ["[[S:1]]"]],
    ["[[ [[S:1]]", ["[[S:1]]"]],
    ["[[S:1[[S:2]]", ["[[S:2]]"]],
    ["[[S:1][[S:2]]", ["[[S:2]]"]],
    ["[[S:1[S:2]]", []],
    ["[[S:1]][[S:2]]", ["[[S:1]]", "[[S:2]]"]],
    ["［[[S:1]］]", ["[[S:1]］"]],
  ])("resumes after the failed start of %j", (text, tokens) => {
    expect(tokensIn(text)).toEqual(tokens);
  });
});

describe("the limits", () => {
  const padded = (chars: number) => `[[S:${" ".repeat(chars - 7)}1]]`;

  it("a token may have 16,384 characters and no more", () => {
    expect(tokensIn(padded(MAX_TOKEN_CHARS))).toHaveLength(1);
    expect(tokensIn(padded(MAX_TOKEN_CHARS + 1))).toHaveLength(0);
  });

  it("a token may have 1,000 ids and no more, ranges counted by their size", () => {
    expect(rangesIn("[[S:1-1000]]")).toEqual([[[1, 1000]]]);
    expect(rangesIn("[[S:1000-1]]")).toEqual([[[1, 1000]]]);
    expect(tokensIn("[[S:1-1001]]")).toEqual([]);
    expect(tokensIn("[[S:1001-1]]")).toEqual([]);
    expect(tokensIn("[[S:1-999,5]]")).toHaveLength(1);
    expect(tokensIn("[[S:1-999,5,5]]")).toEqual([]);
    expect(tokensIn(`[[S:${Array(1000).fill("1").join(",")}]]`)).toHaveLength(1);
    expect(tokensIn(`[[S:${Array(1001).fill("1").join(",")}]]`)).toEqual([]);
    expect(tokensIn("[[S:0-999999999]]")).toEqual([]);
  });

  it("a token after one that is too large is found", () => {
    expect(tokensIn("[[S:1-5000]] [[S:2]]")).toEqual(["[[S:2]]"]);
    expect(tokensIn(`${padded(MAX_TOKEN_CHARS + 5)}[[S:2]]`)).toEqual(["[[S:2]]"]);
  });
});

describe("the held text", () => {
  it.each([
    "[",
    "[[",
    "［",
    "[[ ",
    "[[S",
    "[[s ",
    "[[S:",
    "[[S: ",
    "[[S:1",
    "[[S:1,",
    "[[S:1-",
    "[[S:1–2",
    "[[S:1 ",
    "[[S:1]",
  ])("is %j", (prefix) => {
    expect(scan(`text ${prefix}`).held).toBe(prefix);
  });

  it.each([
    ["[[[", "[["],
    ["[[[[[", "[["],
    ["[[ [", "["],
    ["[[S:1[", "["],
    ["[[x", ""],
    ["[S", ""],
    ["[[S:x", ""],
    ["[[S:1]]", ""],
    ["[[S:1] ", ""],
    ["[[S:1--", ""],
    ["[[S:1234567890", ""],
    ["[[S:1-9999", ""],
    ["[[S:1-5000", ""],
    ["[[S:1-998,5,", "[[S:1-998,5,"],
    ["[[S:1-999,5,", ""],
    ["[[S:1-1000", "[[S:1-1000"],
    ["[[S:1-1000,", ""],
    ["[[S:500000000-5", "[[S:500000000-5"],
    ["[[S:500000000-6", ""],
    ["[[S:500000000-499", "[[S:500000000-499"],
    ["[[S:500000000-498", ""],
    ["[[S:5000-1", ""],
    ["[[S:5000-4", "[[S:5000-4"],
    ["[[S:5000-3", ""],
  ])("after %j is %j, which could still become a token", (text, held) => {
    expect(scan(text).held).toBe(held);
  });

  it("is released as soon as the candidate is too long to be closed", () => {
    const spaces = (count: number) => `[[S:1${" ".repeat(count - 5)}`;
    expect(scan(spaces(MAX_TOKEN_CHARS - 2)).held).toHaveLength(MAX_TOKEN_CHARS - 2);
    expect(scan(spaces(MAX_TOKEN_CHARS - 1)).held).toBe("");
    expect(scan(`${spaces(MAX_TOKEN_CHARS - 2)}]`).held).toHaveLength(MAX_TOKEN_CHARS - 1);
    expect(scan(`${spaces(MAX_TOKEN_CHARS - 2)},`).held).toBe("");
  });

  it("becomes a token by some continuation", () => {
    const piece = fc.constantFrom(
      "[",
      "[[",
      "［",
      "S",
      "s",
      ":",
      "：",
      "1",
      "20",
      "999",
      ",",
      "-",
      "–",
      " ",
      "\t",
      "]",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const { held } = scan(pieces.join(""));
        if (held === "") return;
        expect(completions(held).some((text) => tokensIn(text)[0] === text)).toBe(true);
      }),
      { numRuns: runs },
    );
  });
});

/** Texts that may complete `held` to a token. For a started range, its second number is tried near its first one. */
function completions(held: string): string[] {
  const tails = ["[S:1]]", "S:1]]", ":1]]", "1]]", "]]", "]"];
  const range = /(\d+)[-–](\d*)$/.exec(held);
  const last = range?.[2] ?? "";
  if (range !== null)
    for (let distance = -999; distance <= 999; distance++)
      for (let zeros = 0; zeros <= 8; zeros++) {
        const target = "0".repeat(zeros) + String(Math.max(0, Number(range[1]) + distance));
        if (target.length <= 9 && target.startsWith(last)) tails.push(`${target.slice(last.length)}]]`);
      }
  return tails.map((tail) => held + tail);
}

describe("cost", () => {
  it.each<[string, (size: number) => string]>([
    ["openings that fail", (size) => "[[S:".repeat(size)],
    ["nothing but brackets", (size) => "[".repeat(size)],
    ["a candidate that never closes", (size) => `[[S:${"1,".repeat(size)}`],
    ["a candidate of spaces", (size) => `[[S:${" ".repeat(size)}`],
    ["a candidate before every space run", (size) => `[[S:${" ".repeat(100)}`.repeat(size / 50)],
    ["huge ranges", (size) => "[[S:0-999999999]]".repeat(size)],
  ])("%s: time grows with the length alone", (_name, make) => {
    expect(growthOnDoubling(make, (text) => new TokenScanner().scan(text, () => {}), 25_000)).toBeLessThan(3);
  });
});
