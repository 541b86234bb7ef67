import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readLines } from "./lines.ts";

async function linesOf(chunks: readonly Uint8Array[]): Promise<string[]> {
  const lines: string[] = [];
  async function* source() {
    yield* chunks;
  }
  for await (const line of readLines(source())) lines.push(line);
  return lines;
}

it("lines are the same for any division of the bytes, and end only at line feeds", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\u2028", "\r", " ") }).map((text) => `${text}.`);
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(60)), async (lines, cuts) => {
      const bytes = new TextEncoder().encode(lines.join("\n"));
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      expect(await linesOf(chunks)).toEqual(lines);
    }),
    { numRuns: runs },
  );
});

it("a carriage return before the line feed belongs to the end, and an empty line is a line", async () => {
  expect(await linesOf([new TextEncoder().encode("a\r\n\r\nb\n")])).toEqual(["a", "", "b"]);
});
