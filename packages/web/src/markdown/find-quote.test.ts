import { expect, test } from "vitest";
import { findQuote } from "./find-quote.ts";

const source = "The ridge is long.\nThirty-two cairns stand well, and six need repair. The rest have fallen.";

test("quoted words are shown where they stand in the source", () => {
  expect(findQuote("As it says: “six need repair.” ", source.replace("repair.", "repair."))).toEqual({
    before: "The ridge is long. Thirty-two cairns stand well, and ",
    quoted: "six need repair.",
    after: " The rest have fallen.",
  });
});

test("without a quotation the source is introduced by its beginning", () => {
  expect(findQuote("Some cairns have fallen", source)).toMatchObject({ quoted: "", before: source.replace("\n", " ") });
});

test("a source without text shows what the answer quotes of it, and nothing when it quotes nothing", () => {
  expect(findQuote("“words of a scanned page”", "")).toEqual({
    before: "",
    quoted: "words of a scanned page",
    after: "",
  });
  expect(findQuote("no quotation", "")).toBeNull();
});
