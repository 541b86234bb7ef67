import { expect, it } from "vitest";
import { isFigure } from "./is-figure.ts";

it("recognises numbers with their signs, separators, currencies and units, dates and times, and no other text", () => {
  for (const text of ["1", "-1.5", "1,234,567.89", "1 234,5 €", "$12.40", "98 %", "−3 °C", "12 km/h", "<1", " 7 "])
    expect([text, isFigure(text)]).toEqual([text, true]);
  for (const text of ["2026-11-16", "12:30", "2024–2025", "3/4"]) expect([text, isFigure(text)]).toEqual([text, true]);
  for (const text of ["", "a", "3 stones in a row", "2024 was a good year", "v1.2", "1-2-3 go"])
    expect([text, isFigure(text)]).toEqual([text, false]);
});
