/**
 * The ways of placing breakpoints that are compared. `seed` and `economic` are the engine's strategies; the others are
 * what other applications do.
 */
import type { TimedRequest } from "@cairn/testkit/cache";
import type { ProviderRules } from "@cairn/timeline";

export const SCHEMES = ["none", "last + tail", "last", "system + last", "seed", "economic"] as const;
export type Scheme = (typeof SCHEMES)[number];

export const SCHEME_NOTES: Readonly<Record<Scheme, string>> = {
  none: "no breakpoints",
  "last + tail": "one on the very last block, the changing tail included",
  last: "one on the last stable block",
  "system + last": "one on the system text, one on the last stable block",
  seed: "system, before the turn, four rounds back, last stable block",
  economic: "system (1 h), before the turn, end of the previous request, last stable block; one wire block a round",
};

export function strategyOf(scheme: Scheme): "seed" | "economic" {
  return scheme === "economic" ? "economic" : "seed";
}

/** A request lowered with the engine's `seed` or `economic` plan, with the breakpoints of a scheme instead. */
export function applyScheme(scheme: Scheme, { lookup }: ProviderRules, request: TimedRequest): TimedRequest {
  const { blocks } = request;
  const ttl = request.breakpoints.at(-1)?.ttl ?? "5m";
  const last = blocks.findLastIndex(({ kind }) => kind === "stable");
  const system = blocks.findLastIndex(({ kind }) => kind === "system");
  const at = (...places: number[]) => places.filter((i) => i >= 0).map((i) => ({ i, ttl }));
  if (lookup.kind === "automatic") return request;
  switch (scheme) {
    case "none":
      return { ...request, breakpoints: [] };
    case "last + tail":
      // A scheme that marks the tail treats it as part of the history.
      return {
        ...request,
        blocks: blocks.map((block) => (block.kind === "tail" ? { ...block, kind: "stable" } : block)),
        breakpoints: at(blocks.length - 1),
      };
    case "last":
      return { ...request, breakpoints: at(last) };
    case "system + last":
      return { ...request, breakpoints: at(system, last) };
    case "seed":
    case "economic":
      return request;
  }
}
