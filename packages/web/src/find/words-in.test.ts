import { expect, it } from "vitest";
import { wordsIn } from "./words-in.ts";

const found = (text: string, query: string) => wordsIn(text, query).map(({ start, end }) => text.slice(start, end));

it("finds whole words in any case and with any accents, and the last one when it is begun", () => {
  expect(found("Über den Café-Besuch, cafe", "CAFÉ bes")).toEqual(["Café", "Besuch", "cafe"]);
  expect(found("tea and teapots", "teapot tea")).toEqual(["tea", "teapots"]);
  expect(found("a team", "tea x")).toEqual([]);
  expect(found("anything", " - ")).toEqual([]);
  expect(found("In der Straße, Øre", "strasse ore")).toEqual(["Straße", "Øre"]);
});

it("finds a run of a script without spaces anywhere", () => {
  expect(found("昨日東京に行った", "東京")).toEqual(["東京"]);
});
