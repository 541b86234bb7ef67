import { expect, test } from "vitest";
import { findPassage } from "./find-passage.ts";
import { atWords } from "./text-fragment.ts";

const source =
  "The ridge is long.\nThirty-two cairns stand well, and six\nneed repair. The keeper’s hut was rebuilt in 1931 after the fire.";
const shown = (claim: string) => {
  const passage = findPassage(claim, source);
  return passage === null ? null : source.slice(passage.start, passage.end);
};

test("quoted words are found where they stand, whatever the line breaks and apostrophes are", () => {
  expect(shown("It says “cairns stand well, and six need repair”")).toBe("cairns stand well, and six\nneed repair");
  expect(shown('As in "The keeper\'s hut was rebuilt".')).toBe("The keeper’s hut was rebuilt");
});

test("quoted words are found in Markdown, although the answer shows its marks as type", () => {
  const markdown =
    "port: 3000.\n- In Express or `node:http`, use **`toNode(handler)`** before `express.json()`. - In Next";
  const passage = findPassage("“In Express or node:http, use toNode(handler) before express.json().”", markdown);
  expect(passage?.isQuoted).toBe(true);
  expect(markdown.slice(passage?.start, passage?.end)).toBe(
    "In Express or `node:http`, use **`toNode(handler)`** before `express.json()`.",
  );
});

test("without a quotation, the passage is the sentence with the most words in common with the claim's last sentence", () => {
  expect(shown("The ridge is long. After the fire of 1931 the hut was rebuilt by its keeper")).toBe(
    "The keeper’s hut was rebuilt in 1931 after the fire.",
  );
  expect(shown("Some cairns have fallen")).toBeNull();
  expect(shown("")).toBeNull();
});

test("a page is opened at the quoted words, for a long quotation at its first and last words", () => {
  expect(atWords("https://e.com/a", "")).toBe("https://e.com/a");
  expect(atWords("https://e.com/a", "well-kept, and & so")).toBe(
    "https://e.com/a#:~:text=well%2Dkept%2C%20and%20%26%20so",
  );
  expect(atWords("https://e.com/a#b", "one two")).toBe("https://e.com/a#b:~:text=one%20two");
  const long = Array.from({ length: 20 }, (_, at) => `w${at}`).join(" ");
  expect(atWords("https://e.com/", long)).toBe(
    "https://e.com/#:~:text=w0%20w1%20w2%20w3%20w4,w15%20w16%20w17%20w18%20w19",
  );
});
