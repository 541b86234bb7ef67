import { describe, expect, it } from "vitest";
import { answerDate, dateQuestionIn } from "./date-question.ts";
import { languageOf } from "./phrases/language.ts";

const TODAY = "2026-11-19";
const ask = (message: string, today = TODAY) => {
  const question = dateQuestionIn(message);
  return question === null ? null : (answerDate(question, today, languageOf(message))?.value ?? null);
};

describe("questions about dates", () => {
  it.each([
    ["How many days until Christmas?", "36 days"],
    ["how long is it till 1 January 2027?", "43 days"],
    ["How many days until March 3?", "104 days"],
    ["Wie viele Tage sind es noch bis Weihnachten?", "36 Tage"],
    ["Combien de jours avant Noël ?", "36\u00a0jours"],
    ["How many days since 3 May 2026?", "200 days"],
    ["How many days since Christmas?", "329 days"],
    ["What day of the week is 14 March 2027?", "Sunday, 14 March 2027"],
    ["What's the date tomorrow?", "Friday, 20 November 2026"],
    ["How many days are left in the year?", "42 days"],
    ["how many weeks until new year?", "43 days"],
    ["what day was 29 February 2024", "Thursday, 29 February 2024"],
    ["Welcher Wochentag ist der 24. Dezember 2026?", "Donnerstag, 24. Dezember 2026"],
    ["What date is it in 90 days?", "Wednesday, 17 February 2027"],
    ["What date was it 3 weeks ago?", "Thursday, 29 October 2026"],
    ["Which day is it in a month?", "Saturday, 19 December 2026"],
    ["how old is someone born on 4 July 1990?", "36 years"],
    ["How old am I if I was born in 1990?", "36 years"],
    ["What date is 90 days after 2026-11-20?", "Thursday, 18 February 2027"],
    ["90 days after 20 November 2026", "Thursday, 18 February 2027"],
    ["What is 2 weeks before Christmas?", "Friday, 11 December 2026"],
    ["3 Wochen nach dem 1. März 2026", "Sonntag, 22. März 2026"],
    ["Wie alt ist jemand, der am 20. November 1990 geboren ist?", "35 Jahre"],
  ])("%s", (question, answer) => {
    expect(ask(question)).toBe(answer);
  });

  it("a month after the last day of a month is the last day of the next", () => {
    expect(ask("What date is it in a month?", "2027-01-31")).toBe("Sunday, 28 February 2027");
  });

  it.each([
    "How many days until the launch?",
    "What day is it?",
    "How long is the lease?",
    "What day is 31 June 2027?",
    "90 days after the launch",
  ])("is not: %s", (question) => {
    expect(dateQuestionIn(question)).toBe(null);
  });
});
