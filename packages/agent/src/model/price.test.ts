import { expect, it } from "vitest";
import { dollarsOf } from "./price.ts";
import { anthropic } from "./providers/anthropic.ts";
import { factsOf } from "./providers/provider.ts";

const prices = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 1.25, cacheWriteLong: 2 };

it("each token is billed once, at its own price", () => {
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 200_000, cacheWriteLong: 50_000 };
  // 200 K plain, 600 K at 0.1, 150 K at 1.25, 50 K at 2, times $2; and 100 K at $10.
  expect(dollarsOf(usage, prices)).toBeCloseTo((0.2 + 0.06 + 0.1875 + 0.1) * 2 + 1, 10);
});

it("a long prompt raises the price of the whole request", () => {
  const usage = { input: 200_000, output: 10_000, cacheRead: 0, cacheWrite: 0 };
  const { prices: haiku } = factsOf(anthropic, "claude-haiku-5-5");
  expect(dollarsOf(usage, haiku)).toBeCloseTo(0.2 * 0.5 + 0.01 * 2.5, 10);
  expect(dollarsOf({ ...usage, input: 100_000 }, haiku)).toBeCloseTo(0.1 * 0.1 + 0.01 * 0.5, 10);
});

it("a model without a price costs nothing, and invalid usage never gives a negative cost", () => {
  expect(dollarsOf({ input: 5, output: 5, cacheRead: 0, cacheWrite: 0 }, undefined)).toBe(0);
  expect(dollarsOf({ input: 0, output: 0, cacheRead: 10, cacheWrite: 0 }, prices)).toBeGreaterThan(0);
});
