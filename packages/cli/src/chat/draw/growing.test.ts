import fc from "fast-check";
import { expect, it } from "vitest";
import { GrowingMarkdown } from "./growing.ts";
import { drawMarkdown } from "./markdown.ts";
import type { Pen } from "./style.ts";

const pen: Pen = { width: 30, hasColour: false, paint: (_, text) => text };

const PIECES = [
  "A paragraph with **bold** words.\n\n",
  "Title\n---\n\n",
  "# Heading\n",
  "- one\n- two\n",
  "\n  still two\n\n",
  "1. a\n\n   b\n",
  "```js\nlet a;\n\nlet b;\n```\n",
  "```\nopen to the end\n",
  "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
  "> quote\n",
  "words",
  "\n",
];

it("a text that is drawn while it grows looks like the whole text drawn at once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      fc.infiniteStream(fc.boolean()),
      (pieces, sizes, frames) => {
        const text = pieces.join("");
        const growing = new GrowingMarkdown();
        const printed: string[] = [];
        for (let at = 0; at < text.length; ) {
          const size = sizes.next().value ?? 1;
          growing.push(text.slice(at, at + size));
          at += size;
          if (frames.next().value) continue;
          printed.push(...growing.take(pen));
          const shown = [...printed, ...growing.live(pen)];
          expect(shown).toEqual(drawMarkdown(text.slice(0, at), pen));
        }
        expect([...printed, ...growing.end(pen)]).toEqual(drawMarkdown(text, pen));
      },
    ),
  );
});

it("only the last line of a code block is drawn again, and finished blocks are not", () => {
  const growing = new GrowingMarkdown();
  growing.push("Look:\n\n```js\nlet a;\nlet b");
  expect(growing.take(pen)).toEqual(["Look:", "", "  js", "  let a;"]);
  expect(growing.live(pen)).toEqual(["  let b"]);
  growing.push(";\n```\nDone");
  expect(growing.take(pen)).toEqual(["  let b;"]);
  expect(growing.live(pen)).toEqual(["", "Done"]);
});
