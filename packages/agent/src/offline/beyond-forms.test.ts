import { describe, expect, it } from "vitest";
import { intentOf } from "./intent.ts";

const whatOf = (message: string) => {
  const intent = intentOf(message);
  return intent.kind === "beyond" ? intent.what : intent.kind;
};

describe("requests that need a language model", () => {
  it.each([
    ["Translate 'Good morning' into Spanish", "translate"],
    ["How do you say thank you in Italian?", "translate"],
    ["Übersetze das ins Englische", "translate"],
    ["Traduis ceci en anglais", "translate"],
    ["Write an email to my landlord that the heating is broken", "compose"],
    ["Tell me a joke", "compose"],
    ["can you write me a short poem about the sea?", "compose"],
    ["Write a Python function that sorts a list", "compose"],
    ["Schreib mir ein Gedicht über den Herbst", "compose"],
    ["Écris une lettre à mon propriétaire", "compose"],
    ["Make it shorter", "rewrite"],
    ["can you explain that in simpler terms?", "rewrite"],
    ["tell me a fun fact", "compose"],
    ["Rewrite this more formally", "rewrite"],
    ["Mach es kürzer", "rewrite"],
    ["Make a table of the planets and their moons", "table"],
  ])("%s", (message, what) => {
    expect(whatOf(message)).toBe(what);
  });

  it.each([
    ["Write a report about the recipes", "report"],
    ["Write a short summary of the message", "report"],
    ["Give me the code for mounting it in Express", "question"],
    ["What is in the letter?", "question"],
    ["Write a file notes.md with: a poem", "file"],
    ["Show the table sorted by revenue", "question"],
  ])("is not: %s", (message, kind) => {
    expect(whatOf(message)).toBe(kind);
  });
});

describe("messages about the previous answer", () => {
  it.each([
    ["are you sure?", "sure"],
    ["Stimmt das?", "sure"],
    ["continue", "more"],
    ["tell me more", "more"],
    ["weiter", "more"],
    ["stop", "stop"],
    ["Why was this not cached?", "cached"],
    ["Warum wurde das nicht gecacht?", "cached"],
    ["How many tokens did you use?", "cost"],
    ["Why does the cache expire?", "question"],
  ])("%s", (message, kind) => {
    expect(intentOf(message).kind).toBe(kind);
  });
});
