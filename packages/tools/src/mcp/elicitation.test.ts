/** Questions that a server asks by ending its call. */
import { expect, it } from "vitest";
import { nextRound } from "./elicitation.ts";

const question = (message: string) => ({
  method: "elicitation/create" as const,
  params: { message, requestedSchema: { type: "object" as const, properties: {} } },
});
const roundOf = (inputRequests: Record<string, ReturnType<typeof question>>) =>
  nextRound({ resultType: "input_required", inputRequests }, 1, null);

it("questions of a round that the journal would keep in full are limited together, not only the one that is shown", () => {
  expect(roundOf({ a: question("How many?"), b: question("x".repeat(4_000)) }).round).toBe(1);
  const tooMany = expect.objectContaining({ code: "mcp_bad_question" });
  expect(() => roundOf({ a: question("How many?"), b: question("x".repeat(100_000)) })).toThrow(tooMany);
  expect(() => roundOf({ a: question("How many?"), ["k".repeat(100_000)]: question("Why?") })).toThrow(tooMany);
});
