import { describe, expect, it } from "vitest";
import { PROVIDERS } from "./providers.ts";
import { chooseTtl } from "./ttl-choice.ts";

const { anthropic, openai } = PROVIDERS;
const short = (count: number) => Array.from({ length: count }, () => 60);

describe("the TTL chosen from a conversation's pauses", () => {
  it("is short before the first pause", () => {
    expect(chooseTtl([], anthropic)).toBe("5m");
  });

  it("is short when no pause is longer than that", () => {
    expect(chooseTtl([...short(40), 300], anthropic)).toBe("5m");
  });

  it("is long when more than one pause in twenty lies between the two TTLs", () => {
    expect(chooseTtl([...short(18), 301], anthropic)).toBe("1h");
    expect(chooseTtl([...short(24), 3_600], anthropic)).toBe("5m");
  });

  it("is short when more than 60 % of the long pauses exceed both TTLs", () => {
    expect(chooseTtl([900, 900, 7_200, 7_200], anthropic, 0)).toBe("1h");
    expect(chooseTtl([900, 7_200, 7_200, 900, 7_200, 7_200], anthropic, 0)).toBe("5m");
  });

  it("is short when a turn adds as much as the whole history, and long when it adds very little", () => {
    const pauses = [...short(3), 900];
    expect(chooseTtl(pauses, anthropic, 1)).toBe("5m");
    expect(chooseTtl(pauses, anthropic, 0.01)).toBe("1h");
  });

  it("is short if the provider has only one lifetime", () => {
    expect(chooseTtl([900, 1_700, 1_801], openai)).toBe("5m");
  });
});
