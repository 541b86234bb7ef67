import { describe, expect, it } from "vitest";
import { convertUnits } from "./convert-units.ts";
import { languageOf } from "./phrases/language.ts";

const convert = (message: string) => {
  const found = convertUnits(message, languageOf(message));
  if (found === null) return null;
  return "problem" in found ? found.problem : `${found.expression} ${found.isExact ? "=" : "≈"} ${found.value}`;
};

describe("conversions of units", () => {
  it.each([
    ["Convert 10 miles to km", "10 mi = 16.09344 km"],
    ["25 °C in Fahrenheit", "25 °C = 77 °F"],
    ["what is 100 degrees fahrenheit in celsius?", "100 °F ≈ 37.7778 °C"],
    ["-40 C to F", "-40 °C = -40 °F"],
    ["How many pounds are 80 kg?", "80 kg ≈ 176.3698 lb"],
    ["how many minutes are 3.5 hours", "3.5 h = 210 min"],
    ["5 feet 10 inches in cm", "5 ft 10 in = 177.8 cm"],
    ["How many days are there in 3 weeks?", "3 weeks = 21 days"],
    ["how many hours are in a week?", "1 weeks = 168 h"],
    ["100 km/h in mph", "100 km/h ≈ 62.1371 mph"],
    ["Wie viele Meter sind 2,5 Kilometer?", "2,5 km = 2500 m"],
    ["Rechne 10 Meilen in Kilometer um", "10 mi = 16,09344 km"],
    ["Combien de grammes font 2 kilos ?", "2 kg = 2000 g"],
    ["Convert 100 dollars to euros", "exchangeRates"],
    ["How much is $50 in pounds?", "exchangeRates"],
  ])("%s", (question, answer) => {
    expect(convert(question)).toBe(answer);
  });

  it.each(["Convert 10 miles to kg", "How many rooms are in 3 houses?", "10 miles", "How many days are in the lease?"])(
    "is not: %s",
    (question) => {
      expect(convert(question)).toBe(null);
    },
  );
});
