/**
 * Turns the checkpoint plan into a provider's breakpoints.
 *
 * Caches with a lookback (Anthropic, Bedrock) get the plan as it is: one breakpoint on tools and system, up to three in
 * the timeline, four in all. Under `economic` the first breakpoint has a TTL of an hour: that is longer than most
 * pauses, and only the few thousand tokens of tools and system become more expensive to write. Longer TTLs come before
 * shorter ones, as the providers require.
 *
 * Caches that look only at the breakpoints a request brings (OpenAI) get a breakpoint at the end of every group, so
 * that the end of the previous request, wherever it was, is among them. If there are more breakpoints than the cache
 * looks at, only the first and the latest are placed. `seed` follows its checkpoint plan for these caches too.
 * Automatic caches get no breakpoints.
 */
import type { CacheStrategy } from "../checkpoints.ts";
import type { CacheTtl, ProviderRules } from "../providers.ts";
import type { ComposedView } from "./compose-parts.ts";
import type { Breakpoint } from "./wire-request.ts";

export interface BreakpointPlan {
  readonly strategy: CacheStrategy;
  readonly ttl: CacheTtl;
  /** Number of wire blocks before the timeline's first: tools and system. */
  readonly prefixLength: number;
  /** Whether the provider takes a breakpoint at the end of the prefix. */
  readonly marksPrefix: boolean;
  /** Whether the provider accepts a breakpoint on the assistant's messages. */
  readonly marksAssistant: boolean;
}

export function placeBreakpoints(view: ComposedView, rules: ProviderRules, plan: BreakpointPlan): Breakpoint[] {
  if (rules.lookup.kind === "automatic") return [];
  const { strategy, ttl, prefixLength, marksPrefix, marksAssistant } = plan;
  const pieces =
    rules.lookup.kind === "own_breakpoints" && strategy === "economic" ? groupEnds(view) : view.checkpoints;
  const marked = pieces.filter((piece) => marksAssistant || view.stable[piece]?.role !== "assistant");
  const prefix: Breakpoint[] =
    marksPrefix && prefixLength > 0 ? [{ i: prefixLength - 1, ttl: strategy === "economic" ? "1h" : ttl }] : [];
  const points = [...prefix, ...marked.map((piece) => ({ i: prefixLength + piece, ttl }))];
  if (rules.lookup.kind === "lookback" || points.length <= rules.maxBreakpoints) return points;
  const { first, latest } = rules.lookup;
  return [...points.slice(0, first), ...points.slice(-latest)];
}

function groupEnds({ groups }: ComposedView): number[] {
  return groups.flatMap((group, piece) => (group === groups[piece + 1] ? [] : [piece]));
}
