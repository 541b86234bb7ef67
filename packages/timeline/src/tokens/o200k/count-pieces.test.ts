import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { pieceCounter } from "./count-pieces.ts";
import packed from "./o200k.json" with { type: "json" };
import { TokenTable } from "./token-table.ts";

const table = new TokenTable(packed);
const count = pieceCounter(table);
const ORDINARY = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

test("the table holds the tokens of o200k_base with their ranks, and nothing else", () => {
  const wrong = ranks.flatMap((token, rank) => {
    const bytes = Buffer.from(token);
    return table.rankOf(bytes, 0, bytes.length) === rank ? [] : [rank];
  });
  expect(wrong).toEqual([]);
  const unknown = Buffer.from("no token is as long as this one");
  expect(table.rankOf(unknown, 0, unknown.length)).toBe(-1);
  expect(table.rankOf(unknown, 0, 0)).toBe(-1);
});

test.each([
  "",
  "Cairn's runtime DOESN'T re-count 1234567 tokens.\r\n\r\n\t/path//to\n/x",
  "It's a “simple” text — with  THREE’s\r\n\n kinds… of 'LL' \t\v \f quotes / 12345'd\n",
  "\ufeff",
  "\ufeffusing \ufeff\ufeff x\ufeffy\ufeff",
  "\ufffd\ufffd \ud800 \udc00\udc00 a\ud800b",
  "<|endoftext|>",
  "Straße, naïve, 漢字かな交じり文, العربية, हिन्दी, 👩‍👩‍👧‍👦 🇩🇪",
])("%j has as many tokens as gpt-tokenizer counts", (text) => {
  expect(count(text)).toBe(countTokens(text, ORDINARY));
});

test("any text has as many tokens as gpt-tokenizer counts", () => {
  const odd = fc.constantFrom(
    "\ufeff",
    "\ufffd",
    "\ud800",
    "\udc00",
    "\n/",
    "'s",
    "'LL",
    "  ",
    "\r",
    "\u0301",
    "\u00a0",
  );
  const token = fc.nat(ranks.length - 1).map((rank) => Buffer.from(ranks[rank] ?? "").toString("utf8"));
  const unit = fc.oneof(fc.string({ unit: anyCharacter }), odd, token, fc.string());
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
      const text = units.join("");
      expect(count(text)).toBe(countTokens(text, ORDINARY));
    }),
    { numRuns: runs },
  );
});

test("a piece of a million characters is counted, with time that grows hardly faster than its length", () => {
  // The pattern takes any number of slashes and line breaks as one piece.
  const long = (chars: number) => "\n/".repeat(chars / 2);
  expect(count(long(2_000))).toBe(countTokens(long(2_000), ORDINARY));
  expect(count(long(1_000_000))).toBe(500_000);
});

test("English with typographic punctuation and signs has as many tokens as gpt-tokenizer counts", () => {
  const unit = fc.constantFrom(..."aZz09 '.-/\\\n\r\t\v\f\0\x1f\x7f—…“’‐‧‰⁞←⏿─✓✗❵", "'s", "'VE", "Word", " the", "12");
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
      const text = units.join("");
      expect(count(text)).toBe(countTokens(text, ORDINARY));
    }),
    { numRuns: runs },
  );
});
