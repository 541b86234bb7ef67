import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { CountTokens } from "../base/ports.ts";
import { boundRuns, loadTokenizer, MAX_COUNTED, MAX_RUN } from "./tokenizer.ts";

let count: CountTokens;
beforeAll(async () => {
  count = await loadTokenizer();
});

describe("loadTokenizer", () => {
  test.each<[string, number]>([
    ["", 0],
    ["hello world", 2],
    ["<|endoftext|>", 7],
  ])("%j has %d tokens", (text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  test("lone surrogates and names of special tokens are ordinary text", () => {
    for (const text of ["\ud800", "\udc00 a \ud800", "<|im_start|>", "<|endofprompt|><|fim_prefix|>"])
      expect(count(text)).toBeGreaterThan(0);
  });

  test("a very long text is sampled: the cost stops growing, and the estimate stays close", () => {
    const prose = "The quick brown fox jumps over 13 lazy dogs, doesn't it?\n\n\tYes! ";
    const exact = prose.repeat(Math.floor(MAX_COUNTED / prose.length));
    const sampled = exact.repeat(10);
    expect(count(sampled) / (10 * count(exact))).toBeCloseTo(1, 1);
  });

  test("ordinary text is counted in one piece, and therefore exactly", () => {
    const prose = "The quick brown fox jumps over 13 lazy dogs, doesn't it?\n\n\tYes! ".repeat(200);
    expect(boundRuns(prose)).toEqual([prose]);
  });

  test("a run that is one character too long is cut, wherever it begins", () => {
    for (let start = 0; start <= 2 * MAX_RUN; start++) {
      const before = "1a".repeat(MAX_RUN).slice(0, start);
      const longest = (before.endsWith("a") ? "1" : "a").repeat(MAX_RUN);
      expect(boundRuns(before + longest)).toEqual([before + longest]);
      expect(boundRuns(before + longest + longest[0])).toEqual([before + longest, longest[0]]);
    }
  });

  test("the pieces join to the text, and no surrogate pair is split", () => {
    const unit = fc.constantFrom("a", " ", "😀", "漢", "1", "\n", "\ud800", "-");
    const run = fc.tuple(unit, fc.nat(3 * MAX_RUN)).map(([char, times]) => char.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 4 }), (parts) => {
        const text = parts.join("");
        const pieces = boundRuns(text);
        expect(pieces.join("")).toBe(text);
        for (const [index, piece] of pieces.entries())
          if (index > 0)
            expect(/^[\udc00-\udfff]/.test(piece) && /[\ud800-\udbff]$/.test(pieces[index - 1] ?? "")).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  test("the parts of a text cost about as much as the whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.lorem({ maxCount: 20 }), (left, right) => {
        const apart = count(left) + count(right);
        expect(Math.abs(count(left + right) - apart)).toBeLessThanOrEqual(4 + 0.05 * apart);
      }),
      { numRuns: runs },
    );
  });

  test.each(["a", " ", "\n", "-", "漢字", "😀", "\r\n", "\t \n", "AbC", "the fox "])(
    "time grows linearly on repeated %j",
    (unit) => {
      const ratio = growthOnDoubling((size) => unit.repeat(size / unit.length), count, 8_000);
      expect(ratio).toBeLessThan(3.3);
    },
  );
});
