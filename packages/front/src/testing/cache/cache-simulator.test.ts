/** Tests the cache simulator with prices that were computed by hand from the published rules. */
import { type Breakpoint, PROVIDERS, type ProviderId } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { CacheSimulator } from "./cache-simulator.ts";
import type { DescribedBlock } from "./described-block.ts";
import { priceRequests } from "./price-requests.ts";
import type { TimedRequest } from "./timed-request.ts";

const system: DescribedBlock = { hash: "system", tokens: 2_000, kind: "system" };
const tail: DescribedBlock = { hash: "tail", tokens: 100, kind: "tail" };
const stable = (hash: string, tokens = 1_000): DescribedBlock => ({ hash, tokens, kind: "stable" });
const points = (ttl: "5m" | "1h", ...places: number[]): Breakpoint[] => places.map((i) => ({ i, ttl }));
const request = (t: number, blocks: DescribedBlock[], breakpoints: Breakpoint[]): TimedRequest => ({
  t,
  blocks,
  breakpoints,
});

function send(provider: ProviderId, ...requests: TimedRequest[]) {
  const cache = new CacheSimulator(PROVIDERS[provider]);
  return requests.map((each) => cache.send(each));
}

describe("Anthropic's cache", () => {
  const first = request(0, [system, stable("a"), tail], points("5m", 0, 1));

  it("writes up to the last breakpoint at 1.25 and bills the rest in full", () => {
    const [cost] = send("anthropic", first);
    expect(cost).toMatchObject({ read: 0, written: 3_000, uncached: 100, cost: 3_000 * 1.25 + 100, tail: 100 });
  });

  it("reads the part that an earlier request wrote at 0.1 and writes only the new part", () => {
    const second = request(10, [system, stable("a"), stable("b", 500), tail], points("5m", 0, 1, 2));
    const [, cost] = send("anthropic", first, second);
    expect(cost).toMatchObject({ read: 3_000, written: 500, uncached: 100, cost: 300 + 625 + 100, bound: 1_025 });
  });

  it("expires after five minutes, counted from the start of the last request that used the entry", () => {
    const again = (t: number) => ({ ...first, t });
    expect(send("anthropic", first, again(300), again(600)).map(({ read }) => read)).toEqual([0, 3_000, 3_000]);
    expect(send("anthropic", first, again(301)).map(({ read }) => read)).toEqual([0, 0]);
  });

  it("keeps an entry written for an hour, at twice the base price, after the others expire", () => {
    const mixed = request(0, [system, stable("a"), tail], [...points("1h", 0), ...points("5m", 1)]);
    const [wrote, cold] = send("anthropic", mixed, { ...mixed, t: 3_000 });
    expect(wrote?.cost).toBe(2_000 * 2 + 1_000 * 1.25 + 100);
    expect(cold).toMatchObject({ read: 2_000, written: 1_000, cost: 200 + 1_250 + 100, bound: 1_550 });
  });

  it("looks back over twenty positions from a breakpoint, including the breakpoint", () => {
    const more = (count: number) => Array.from({ length: count }, (_, nth) => stable(`m${nth}`, 1));
    const later = (count: number) => request(1, [system, stable("a"), ...more(count), tail], points("5m", 1 + count));
    expect(send("anthropic", first, later(19))[1]?.read).toBe(3_000);
    expect(send("anthropic", first, later(20))[1]?.read).toBe(0);
  });

  it("finds the end of the previous request by a breakpoint on it, even if much content follows", () => {
    const more = Array.from({ length: 60 }, (_, nth) => stable(`m${nth}`, 1));
    const later = request(1, [system, stable("a"), ...more, tail], points("5m", 1, 61));
    expect(send("anthropic", first, later)[1]?.read).toBe(3_000);
  });

  it("ignores breakpoints on prefixes under the minimum", () => {
    const small = request(0, [stable("a", 1_023), tail], points("5m", 0));
    expect(send("anthropic", small, small)[1]).toMatchObject({ read: 0, written: 0, uncached: 1_123, cost: 1_123 });
  });

  it("treats a changed block as a different prefix from there on", () => {
    const changed = request(1, [system, stable("A"), tail], points("5m", 0, 1));
    expect(send("anthropic", first, changed)[1]).toMatchObject({ read: 2_000, written: 1_000 });
  });
});

describe("OpenAI's cache", () => {
  const first = request(0, [system, stable("a"), tail], points("5m", 0, 1));

  it("is read only at breakpoints of the request itself", () => {
    const grown = [system, stable("a"), stable("b"), tail];
    expect(send("openai", first, request(1, grown, points("5m", 2)))[1]?.read).toBe(0);
    expect(send("openai", first, request(1, grown, points("5m", 1, 2)))[1]).toMatchObject({
      read: 3_000,
      written: 1_000,
    });
  });

  it("keeps the latest four breakpoints of a request", () => {
    const blocks = Array.from({ length: 6 }, (_, nth) => stable(`b${nth}`, 2_000));
    const wrote = request(0, blocks, points("5m", 0, 1, 2, 3, 4, 5));
    const read = (at: number) => send("openai", wrote, request(1, blocks.slice(0, at + 1), points("5m", at)))[1]?.read;
    expect([0, 1, 2, 3, 4, 5].map(read)).toEqual([0, 0, 6_000, 8_000, 10_000, 12_000]);
  });

  it("expires after half an hour", () => {
    const again = (t: number) => ({ ...first, t });
    expect(send("openai", first, again(1_800))[1]?.read).toBe(3_000);
    expect(send("openai", first, again(1_801))[1]?.read).toBe(0);
  });
});

describe("an automatic cache", () => {
  it("reads the longest known prefix in steps of 128 tokens, and charges nothing for writing", () => {
    const first = request(0, [system, stable("a"), tail], []);
    const second = request(1, [system, stable("a"), stable("b"), tail], []);
    const [wrote, read] = send("automatic", first, second);
    expect(wrote?.cost).toBe(3_100);
    expect(read).toMatchObject({ read: 2_944, cost: 294.4 + (4_100 - 2_944) });
  });
});

it("a conversation's price is the sum, with the ratio to the bound and the share of the tail", () => {
  const first = request(0, [system, stable("a"), tail], points("5m", 0, 1));
  const price = priceRequests([first, { ...first, t: 1 }], PROVIDERS.anthropic);
  expect(price).toMatchObject({ requests: 2, read: 3_000, written: 3_000, cost: 3_850 + 400, ratio: 1 });
  expect(price.tailShare).toBeCloseTo(200 / 4_250);
});
