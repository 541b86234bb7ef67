import fc from "fast-check";
import { expect, it } from "vitest";
import { isLarge, jsonBytes } from "./json-pieces.ts";

const text = async (value: unknown) => Buffer.concat(await Array.fromAsync(jsonBytes(value))).toString();

it("is the JSON of the value, byte for byte", async () => {
  const long = 'é\n"'.repeat(400_000);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
      const value = { one, none: undefined, list: [long, other, undefined, { deep: [one, long] }], other, empty: [] };
      expect(isLarge(value)).toBe(true);
      expect(await text(value)).toBe(JSON.stringify(value));
      expect(await text(one)).toBe(JSON.stringify(one));
    }),
    { numRuns: 10 },
  );
});

it("comes in pieces that are not larger than the longest text and a megabyte", async () => {
  const value = { turns: [{ messages: Array.from({ length: 20 }, () => "x".repeat(600_000)) }] };
  const pieces = await Array.fromAsync(jsonBytes(value));
  expect(pieces.length).toBeGreaterThan(9);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_700_000);
});
