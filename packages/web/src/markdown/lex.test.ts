import type { Token } from "marked";
import { expect, test } from "vitest";
import { lexMarkdown } from "./lex.ts";

/** All tokens of a text, inner ones too. */
function tokensOf(text: string): Token[] {
  const walk = (token: Token): Token[] => [
    token,
    ...((Reflect.get(token, "tokens") as Token[] | undefined) ?? []).flatMap(walk),
  ];
  return lexMarkdown(text).flatMap(walk);
}

const first = (text: string, type: string) => tokensOf(text).find((token) => token.type === type);

test("a citation token names its sources, in every spelling the specification allows", () => {
  expect(first("so it is [[S:1,3]].", "citation")).toMatchObject({ sids: [1, 3] });
  expect(first("[[ s : 2-4 ]]", "citation")).toMatchObject({ sids: [2, 3, 4] });
  expect(first("［［S：7］］", "citation")).toMatchObject({ sids: [7] });
});

test("text that only looks like a citation stays text", () => {
  for (const text of ["[S:1]", "[[S:1;2]]", "[[X:1]]", "`[[S:1]]`"]) expect(first(text, "citation")).toBeUndefined();
});

test("dollar signs are math only where no price is meant", () => {
  expect(first("the area $\\pi r^2$ of it", "math")).toMatchObject({ tex: "\\pi r^2", isBlock: false });
  expect(first("$$\n\\int_0^1 x\\,dx\n$$", "math")).toMatchObject({ tex: "\\int_0^1 x\\,dx", isBlock: true });
  expect(first("\\(a+b\\)", "math")).toMatchObject({ tex: "a+b" });
  for (const text of ["it costs $5 and then $6", "$ 5 $", "US$5-US$6"]) expect(first(text, "math")).toBeUndefined();
});

test("tokens hold every character of their text, also where a formula could begin in the middle of a line", () => {
  for (const text of ["a\\[b\\]", "`\\[**`", "x$$y$$ z", "one\n$$\nx\n$$\ntwo"])
    expect(
      lexMarkdown(text)
        .map(({ raw }) => raw)
        .join(""),
    ).toBe(text);
});

test("a text that would overload the parser is one plain paragraph", () => {
  for (const text of [
    ">".repeat(20_000),
    "- ".repeat(5_000),
    "[".repeat(50_000),
    "*".repeat(50_000),
    "x".repeat(500_000),
    "a_b".repeat(7_000),
  ]) {
    const tokens = lexMarkdown(text);
    expect(tokens.map(({ type }) => type)).toEqual(["paragraph"]);
    expect(tokens[0]?.raw).toBe(text);
  }
});
