import { type Breakpoint, FLAT_1, type JsonObject, PROVIDERS, type WireRequest } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { refuseBody, refuseInvalid } from "./refuse.ts";

const blocks = [2_000, 10, 10, 10, 10, 0].map((tokens, at) => ({ hash: `${at}`, tokens, kind: "stable" as const }));
const request = (breakpoints: Breakpoint[]) => ({
  t: 0,
  blocks: [...blocks, { hash: "t", tokens: 5, kind: "tail" as const }],
  breakpoints,
});
const rule = (name: string) => expect.objectContaining({ code: "request_refused", details: { rule: name } });
const at = (...places: number[]): Breakpoint[] => places.map((i) => ({ i, ttl: "5m" }));

describe("a request is rejected", () => {
  it.each<[string, string, Breakpoint[]]>([
    ["with a fifth breakpoint", "too_many_breakpoints", at(0, 1, 2, 3, 4)],
    ["with a breakpoint on the tail", "breakpoint_on_tail", at(6)],
    ["with a breakpoint on an empty text", "breakpoint_on_empty", at(5)],
    ["with an hour after five minutes", "ttl_order", [...at(0), { i: 1, ttl: "1h" }]],
    ["with a breakpoint that is nowhere", "bad_breakpoint", at(99)],
  ])("%s", (_, name, breakpoints) => {
    expect(() => refuseInvalid(request(breakpoints), PROVIDERS.anthropic)).toThrow(rule(name));
  });

  it("but not when four breakpoints are in order", () => {
    const breakpoints: Breakpoint[] = [{ i: 0, ttl: "1h" }, ...at(1, 2, 4)];
    expect(() => refuseInvalid(request(breakpoints), PROVIDERS.anthropic)).not.toThrow();
  });
});

describe("a body is rejected", () => {
  const body = (content: JsonObject[], markers = 0): WireRequest => ({
    provider: "anthropic",
    lowering: FLAT_1,
    returnsReasoning: false,
    body: { messages: [{ role: "user", content }] },
    blocks: [],
    breakpoints: at(...Array.from({ length: markers }, (_, nth) => nth)),
  });
  const text = (value: string, cache_control?: JsonObject): JsonObject => ({
    type: "text",
    text: value,
    ...(cache_control === undefined ? {} : { cache_control }),
  });
  const five = { type: "ephemeral" };

  it.each<[string, string, WireRequest]>([
    ["with an empty text", "empty_text", body([text(" \n")])],
    ["with a lone surrogate", "bad_text", body([text("\ud800")])],
    [
      "with five markers",
      "too_many_breakpoints",
      body(
        Array.from({ length: 5 }, () => text("a", five)),
        5,
      ),
    ],
    ["with an hour after five minutes", "ttl_order", body([text("a", five), text("b", { ttl: "1h" })], 2)],
    ["with markers that are not in the plan", "markers_differ", body([text("a", five)])],
  ])("%s", (_, name, wire) => {
    expect(() => refuseBody(wire)).toThrow(rule(name));
  });
});
