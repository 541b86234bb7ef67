import { expect, it } from "vitest";
import type { Passage } from "./passages.ts";
import { PHRASES } from "./phrases/by-language.ts";
import { composeReport } from "./report.ts";

const passage = (name: string, text: string): Passage => ({ name, text, sid: 1, part: null, kind: "web" });

it("does not quote the title above a source's quotations", () => {
  const passages = [
    passage("Mountain rescue", "# Mountain rescue\n\nThe mountain rescue team has twenty-eight volunteers."),
  ];
  const report = composeReport("mountain rescue", passages, PHRASES.en);
  expect(report?.quotes.map(({ text }) => text)).toEqual(["The mountain rescue team has twenty-eight volunteers."]);
});

it("quotes the title of a source that has no other text", () => {
  const report = composeReport("mountain rescue", [passage("Mountain rescue", "# Mountain rescue")], PHRASES.en);
  expect(report?.content).toContain("“Mountain rescue”");
});

it("quotes weaker passages beside an answer of the documentation", () => {
  const passages = [
    passage("Questions", "## What is the cache?\n\nA provider keeps the beginning."),
    passage("Prices", "A table of prices mentions the cache. Dogs are welcome. The kitchen closes at nine."),
  ];
  const report = composeReport("the cache", passages, PHRASES.en);
  expect(report?.quotes.map(({ passage: { name } }) => name)).toEqual(["Questions", "Prices"]);
});
