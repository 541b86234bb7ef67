import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingText } from "./growing-text.ts";
import { closeHalfOpen } from "./half-open.ts";
import { lexMarkdown } from "./lex.ts";

const block = fc.constantFrom(
  "A paragraph with **bold** and a [[S:1]] citation.",
  "Heading\n=======",
  "# Heading",
  "- one\n- two",
  "- loose\n\n- list",
  "1. first\n   more of it\n\n   and a paragraph",
  "> quote\ngoes on lazily",
  "```ts\nconst a = 1;\n\nconst b = 2;\n```",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "$$\nx^2\n\ny\n$$",
  "***",
  "    indented code",
  // An empty line follows, as in real texts: a fence inside HTML does not count, which is unknown at the end of the
  // text.
  "<div>\n\nhtml\n\n</div>\n",
  "plain  \nbreak",
);

test("a text that grows in any pieces has the same blocks as the whole text", () => {
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 6 }),
      fc.constantFrom("\n\n", "\n"),
      fc.array(fc.nat(), { maxLength: 8 }),
      (blocks, gap, cuts) => {
        const text = blocks.join(gap);
        const growing = new GrowingText();
        const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
        for (const end of ends) {
          const tokens = growing.read(text.slice(0, end));
          expect(tokens.map(({ raw }) => raw).join("")).toBe(
            lexMarkdown(closeHalfOpen(text.slice(0, end)))
              .map(({ raw }) => raw)
              .join(""),
          );
        }
        const whole = lexMarkdown(closeHalfOpen(text));
        expect(growing.read(text).map(({ type }) => type)).toEqual(whole.map(({ type }) => type));
      },
    ),
    { numRuns: runs },
  );
});

test("finished blocks are kept as they are, so that they are not drawn again", () => {
  const growing = new GrowingText();
  const [before] = growing.read("# One\n\ntwo\n\nthree\n\nfour");
  const [after] = growing.read("# One\n\ntwo\n\nthree\n\nfour and more");
  expect(after).toBe(before);
});

test("a text that changed before its end is read anew", () => {
  const growing = new GrowingText();
  growing.read("# One\n\ntwo\n\nthree");
  expect(
    growing
      .read("# Other\n\ntwo")
      .map(({ raw }) => raw)
      .join(""),
  ).toBe("# Other\n\ntwo");
});
