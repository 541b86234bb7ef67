import { expect, it } from "vitest";
import { wirePartTokens } from "./part-tokens.ts";

it("sealed reasoning counts at least as much as its sealed part, however short its summary is", () => {
  const tokensOf = (text: string, seal: string) => {
    const part = { type: "reasoning" as const, text, sealed: { openai: seal } };
    return wirePartTokens(part, (counted) => counted.length);
  };
  expect(tokensOf("Hm.", "x".repeat(4_000))).toBeGreaterThanOrEqual(1_000);
  expect(tokensOf("x".repeat(500), "short")).toBe(500);
});
