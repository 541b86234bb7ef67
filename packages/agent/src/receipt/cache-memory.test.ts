import { runs } from "@cairn/testkit/runs";
import { type Breakpoint, FLAT_1, type ProviderId, type WireBlock, type WireRequest } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CacheMemory } from "./cache-memory.ts";

const countTokens = (text: string) => text.length;
const settings = "[]";

/** One wire block for each name, with this many tokens; the first is the system text. */
function wireOf(
  names: readonly string[],
  breakpoints: readonly Breakpoint[],
  provider: ProviderId,
  size = 1_100,
): WireRequest {
  const blocks = names.map((name, at): WireBlock => {
    const text = name.padEnd(size, ".");
    const part = { type: "text" as const, text };
    return { kind: at === 0 ? "system" : "stable", part, content: { text }, startsMessage: at < 2 };
  });
  return { provider, lowering: FLAT_1, body: {}, blocks, breakpoints, returnsReasoning: false };
}

const at = (...places: number[]): Breakpoint[] => places.map((i) => ({ i, ttl: "5m" }));

/** The report of a provider that counts twice as many tokens as Cairn. */
function report(read: number, written: number) {
  return { input: read + written, output: 0, cacheRead: read, cacheWrite: written };
}

describe("CacheMemory", () => {
  it("expects no cache read for a first request, and for the next the part that the provider said it stored", () => {
    const memory = new CacheMemory("anthropic");
    const first = memory.expect({ wire: wireOf(["s", "a"], at(0, 1), "anthropic"), settings }, 0);
    expect(first).toMatchObject({ hit: -1, predictedRead: 0 });
    expect(memory.settle(first, report(0, 4_100), countTokens).entries).toMatchObject([
      { at: 0, tokens: 2_050 },
      { at: 1, tokens: 4_100 },
    ]);
    const next = memory.expect({ wire: wireOf(["s", "a", "b"], at(0, 1, 2), "anthropic"), settings }, 299);
    expect(next).toMatchObject({ hit: 1, predictedRead: 4_100 });
  });

  it("drops entries after their lifetime, and keeps those that were read or requested again", () => {
    const memory = new CacheMemory("anthropic");
    const wire = wireOf(
      ["s", "a"],
      [
        { i: 0, ttl: "1h" },
        { i: 1, ttl: "5m" },
      ],
      "anthropic",
    );
    memory.settle(memory.expect({ wire, settings }, 0), report(0, 4_000), countTokens);
    expect(memory.expect({ wire, settings }, 300).hit).toBe(1);
    expect(memory.expect({ wire, settings }, 301).hit).toBe(0);
    expect(memory.expect({ wire, settings }, 3_601).hit).toBe(-1);
    memory.settle(memory.expect({ wire, settings }, 200), report(4_000, 0), countTokens);
    expect(memory.expect({ wire, settings }, 500).hit).toBe(1);
  });

  it("looks back over twenty blocks at Anthropic, and at OpenAI only at breakpoints of the request", () => {
    const names = Array.from({ length: 22 }, (_, nth) => `n${nth}`);
    for (const [provider, expected] of [
      ["anthropic", [1, -1]],
      ["openai", [-1, -1]],
    ] as const) {
      const memory = new CacheMemory(provider);
      memory.settle(
        memory.expect({ wire: wireOf(names.slice(0, 2), at(1), provider), settings }, 0),
        null,
        countTokens,
      );
      const hits = [20, 21].map((last) => memory.expect({ wire: wireOf(names, at(last), provider), settings }, 1).hit);
      expect(hits).toEqual(expected);
    }
  });

  it("a different tool choice, or a first picture, loses the messages at Anthropic and keeps the system text", () => {
    const memory = new CacheMemory("anthropic");
    const wire = wireOf(["s", "a"], at(0, 1), "anthropic");
    memory.settle(memory.expect({ wire, settings }, 0), null, countTokens);
    expect(memory.expect({ wire, settings: "[none]" }, 1).hit).toBe(0);
    const picture: WireBlock = {
      kind: "stable",
      content: { image: "x" },
      startsMessage: false,
      part: { type: "image", media_type: "image/png", data: "AAAA" },
    };
    expect(memory.expect({ wire: { ...wire, blocks: [...wire.blocks, picture] }, settings }, 1).hit).toBe(0);
  });

  it("trusts the provider when it read more than this conversation ever sent", () => {
    const memory = new CacheMemory("anthropic");
    const wire = wireOf(["s", "a"], at(0, 1), "anthropic");
    // An earlier conversation had the same system text.
    const { entries, predicted_read } = memory.settle(
      memory.expect({ wire, settings }, 0),
      report(2_000, 2_000),
      countTokens,
    );
    expect(predicted_read).toBe(0);
    expect(entries).toMatchObject([{ tokens: 2_000 }, { tokens: 4_000 }]);
  });

  it("remembers no prefix under the minimum length, and expects nothing of an automatic cache", () => {
    const memory = new CacheMemory("openai");
    const wire = wireOf(["s", "a"], at(0, 1), "openai", 1_000);
    expect(memory.settle(memory.expect({ wire, settings }, 0), report(0, 0), countTokens).entries).toEqual([]);
    expect(memory.settle(memory.expect({ wire, settings }, 0), null, countTokens).entries).toMatchObject([{ at: 1 }]);
    expect(new CacheMemory("automatic").predicts).toBe(false);
  });

  it("expects the same after a restart as without one", () => {
    const steps = fc.array(
      fc.record({ seconds: fc.integer({ min: 1, max: 2_000 }), add: fc.nat(3), drop: fc.nat(3) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(steps, fc.constantFrom<ProviderId>("anthropic", "openai"), (given, provider) => {
        const kept = new CacheMemory(provider);
        const receipts: { entries: ReturnType<CacheMemory["settle"]>["entries"]; t: number }[] = [];
        let names = ["s", "a"];
        let t = 0;
        for (const [nth, { seconds, add, drop }] of given.entries()) {
          t += seconds;
          names = names.slice(0, Math.max(2, names.length - drop));
          for (let more = 0; more < add; more++) names.push(`${nth}.${more}`);
          const wire = wireOf(
            names,
            at(0, ...(names.length > 2 ? [names.length - 2] : []), names.length - 1),
            provider,
          );
          const again = new CacheMemory(provider);
          for (const receipt of receipts) again.take(receipt.entries, receipt.t);
          const expected = kept.expect({ wire, settings }, t);
          expect(again.expect({ wire, settings }, t)).toEqual(expected);
          receipts.push({ entries: kept.settle(expected, null, countTokens).entries, t });
        }
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
  });
});
