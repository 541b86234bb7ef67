import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { countSource } from "./count-source.ts";

it("imports, comments and empty lines are no lines, and names from files of the program are no concepts", () => {
  const program = `/** A program. */
import main, { a, b as c } from "library";
import { x } from "./own.mjs";

// It calls something.
a(
  main, // both
);
`;
  expect(countSource(program)).toEqual({ lines: 3, concepts: 3 });
});

it("Cairn's hello agent has at most twelve lines, and no more than any rival", () => {
  const sizeOf = (name: string) =>
    countSource(readFileSync(new URL(`./rivals/${name}.mjs`, import.meta.url), "utf8")).lines;
  const rivals = ["ai-sdk", "mastra", "openai-agents", "langchain"].map(sizeOf);
  expect(sizeOf("cairn")).toBeLessThanOrEqual(Math.min(12, ...rivals));
});
