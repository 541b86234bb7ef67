import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arithmeticIn } from "./arithmetic.ts";
import { type Language, languageOf } from "./phrases/language.ts";

const compute = (message: string, language: Language = languageOf(message)) => {
  const found = arithmeticIn(message, language);
  if (found === null) return null;
  return found
    .map((one) =>
      "notUnderstood" in one
        ? `not ${one.notUnderstood}`
        : "problem" in one
          ? one.problem
          : `${one.isExact ? "" : "≈"}${one.value}`,
    )
    .join(", ");
};

describe("arithmetic", () => {
  it.each<[string, string]>([
    ["what is 12 * (3 + 4.5)?", "90"],
    ["15% of 80", "12"],
    ["2^10", "1024"],
    ["What is a 15% tip on $60?", "9"],
    ["Was sind 19% von 250 Euro?", "47,5"],
    ["Split 86.40 between 4 people", "21.6"],
    ["what's the square root of 144?", "12"],
    ["calculate sqrt(2.25) + 1", "2.5"],
    ["Wurzel aus 2", "≈1,414213562373"],
    ["Quelle est la racine carrée de 9 ?", "3"],
    ["the square root of 12345678987654321", "111111111"],
    ["the square root of evil", "null"],
    ["1,234 + 1", "1235"],
    ["1,000,000 / 8 =", "125000"],
    ["0.1 + 0.2", "0.3"],
    ["-2^2", "-4"],
    ["2^3^2", "512"],
    ["2^-2", "0.25"],
    ["0^0 + (-1)^3", "0"],
    ["10 / 4", "2.5"],
    ["What's 10/3?", "≈3.333333333333"],
    ["200 + 10%", "220"],
    ["50% - 20%", "0.3"],
    ["3 x 4", "12"],
    ["How much is seven", "null"],
    ["Hello, can you please tell me what 6 times 7 is?", "42"],
    ["Was ist 3,5 * 2?", "7"],
    ["Wie viel ist 1.500 geteilt durch 1,5?", "1000"],
    ["15 Prozent von 80", "12"],
    ["2 to the 3rd power", "8"],
    ["How many days are there from 2024-02-28 to 2024-03-01?", "2 days"],
    ["days between March 3rd, 2025 and the 3rd of March 2026", "365 days"],
    ["Wie viele Tage sind es vom 1. März bis zum 19. November 2026?", "263 Tage"],
    ["Combien de jours y a-t-il entre le 1er mars et le 2 mars 2026 ?", "1\u00a0jour"],
    ["how many weeks between 3 March 2026 and 1 June 2026", "90 days (12 weeks, 6 days)"],
    ["How many months are there from 15 January to 10 April 2026?", "85 days (2 months, 26 days)"],
    ["a dinner cost 84.60, 5 people, 10% tip. how much each?", "18.612"],
    ["The bill is $90 for 3 people, how much does each pay?", "30"],
    ["3 courses for 5 people cost 84.60, how much each?", "null"],
    ["200 km at 80 km/h how long?", "2.5 h"],
    ["How long do 200 miles take at 80 km/h?", "null"],
    ["what's 3/4 as a percentage?", "75%"],
    ["12 as a percentage of 48", "25%"],
    ["What percentage of 48 is 12?", "25%"],
    ["12 dozen", "144"],
    ["How many days are between 30 February and 1 March 2026?", "null"],
    ["How many days are between March and May 2026?", "null"],
    ["Berechne bitte 1,5 mal 1,5", "2,25"],
    ["Combien font 7 fois 6 ?", "42"],
    ["calcule 1,5 + 1", "2,5"],
    ["99999999999999999999 * 99999999999999999999", "9999999999999999999800000000000000000001"],
  ])("%j is %s", (message, value) => {
    expect(String(compute(message))).toBe(value);
  });

  it.each<[string, string]>([
    ["What is 2+2?\n\nWhat is 5*5?\n\nWhat is 7*7?", "4, 25, 49"],
    ["What is 3+3? And 4+4?", "6, 8"],
    ["Was ist 3,5 * 2? Und auch 1 / 0?", "7, divisionByZero"],
    ["Also tell me 3+4", "7"],
    [
      "What is 17 % of 240? What is 2 to the 20th? How many days are between 3 March and 19 November 2026?",
      "40.8, 1048576, 261 days",
    ],
    ["What is 2+2? Who wrote it? What is 3+3?", "4, not Who wrote it?, 6"],
  ])("computes every calculation of %j: %s", (message, values) => {
    expect(compute(message)).toBe(values);
  });

  it.each(["What is 2+2?\nWho wrote it?", "2+2. It is 4", "Call 555-1234. Then 555-1235."])(
    "%j is not only arithmetic, so nothing of it is computed",
    (message) => {
      expect(compute(message)).toBeNull();
    },
  );

  it.each(["1 / 0", "what is 5 / (3 - 3)?", "0^-1"])("says that %j divides by zero", (message) => {
    expect(compute(message)).toBe("divisionByZero");
  });

  it.each(["9^9^9", "2^100000", "(10^300)^300", "10^399 * 10"])("refuses the size of %j", (message) => {
    expect(compute(message)).toBe("tooLarge");
  });

  it.each([
    ...[
      "2026-11-16",
      "16/11/2026",
      "555-1234",
      "24/7",
      "-5",
      "100%",
      "12",
      "()",
      "what is 2026?",
      "3 +",
      "* 3",
      "1..2 + 1",
    ],
    ...["what is 12 apples + 3?", "4^0.5", "what is the plan for 2 + 2 people?", `${"1+".repeat(200)}1`],
  ])("%j is not arithmetic", (message) => {
    expect(compute(message)).toBeNull();
  });

  it("agrees with whole numbers of JavaScript on any expression of them", () => {
    const { expression } = fc.letrec<{ expression: string; whole: string; sum: string }>((tie) => ({
      expression: fc.oneof({ maxDepth: 4 }, tie("whole"), tie("sum")),
      whole: fc.nat(999).map(String),
      sum: fc
        .tuple(tie("expression"), fc.constantFrom("+", "-", "*"), tie("expression"))
        .map(([left, sign, right]) => `(${left} ${sign} ${right})`),
    }));
    fc.assert(
      fc.property(expression, (text) => {
        fc.pre(text.length < 150);
        const expected = new Function(`return ${text.replace(/\d+/g, "$&n")}`)() as bigint;
        expect(compute(`what is 0 + ${text}?`)).toBe(expected.toString());
      }),
      { numRuns: Math.min(runs, 1_000) },
    );
  });

  it("reads any text without an error", () => {
    const signs = fc.array(fc.constantFrom("1", "0", "9", "+", "-", "*", "/", "^", "%", "(", ")", " ", ".", ","));
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      signs.map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom<Language>("en", "de", "fr"), (message, language) => {
        expect(arithmeticIn(message, language)).toEqual(arithmeticIn(message, language));
      }),
      { numRuns: Math.min(runs, 1_000) },
    );
  });
});
