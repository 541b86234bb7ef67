import { expect, it } from "vitest";
import { isForeign, languageOf } from "./language.ts";

it.each([
  ["How high is the rent?", "en"],
  ["Wie hoch ist die Miete?", "de"],
  ["Quel est le loyer de la maison ?", "fr"],
  ["Qu'est-ce que c'est ?", "fr"],
  ["25 °C in Fahrenheit", "en"],
  ["¿Y cuál es la fianza de la casa?", "en"],
  ["¿Y la fianza?", "en"],
  ["Et la caution ?", "fr"],
  ["Qual è il prezzo della casa?", "en"],
  ["Wat is de huur van het huis?", "en"],
])("%s is answered in %s", (message, language) => {
  expect(languageOf(message)).toBe(language);
});

it("languages that are answered in English are recognised", () => {
  expect(isForeign("¿Y cuál es la fianza de la casa?")).toBe(true);
  expect(isForeign("What is the rent of the house in Los Angeles?")).toBe(false);
  expect(isForeign("Quel est le loyer de la maison ?")).toBe(false);
});
