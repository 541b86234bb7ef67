/**
 * Why a request could not read everything that the previous request left in the cache. The causes, from harmless to
 * alarming: the cache expired, a declared change, the provider read less than predicted, and an undeclared change.
 */
import type { ModelRequest } from "@cairn/api";
import { formatCount } from "../../text/format-count.ts";

export type BreakKind = "cold" | "declared" | "short" | "undeclared";

export interface CacheBreak {
  readonly kind: BreakKind;
  readonly cause: string;
  /** The cause, in words. */
  readonly title: string;
  readonly detail: string;
  /** Other causes of the same cache miss, in words. */
  readonly also: readonly { readonly title: string; readonly detail: string }[];
}

const CAUSES: Readonly<Record<string, string>> = {
  ttl_prune: "Old turns were pruned",
  turn_prune: "Large results were pruned",
  hide: "The agent hid blocks",
  clip: "Large blocks were clipped again",
  compaction: "A summary replaced older blocks",
  system_changed: "The system text changed",
  tools_changed: "The tools changed",
  renderer_changed: "A new version renders some blocks differently",
  lowering_changed: "The history is sent in a different form",
  reasoning_dropped: "Earlier reasoning is no longer sent",
  model_changed: "Another model was asked",
  output_changed: "The form of the answer changed",
  expired: "The cache had expired",
  settings_changed: "A setting changed",
  undeclared: "An undeclared change",
};

export function describeCause(cause: string): string {
  return CAUSES[cause] ?? cause.replaceAll("_", " ");
}

/** The least missing share that is reported for a read below the prediction, because providers count differently. */
const TOLERANCE = 0.02;

export function breakOf({ miss, cold, coincident, predicted_read, is_billed, usage }: ModelRequest): CacheBreak | null {
  const also = coincident.map(({ cause, detail }) => ({ title: describeCause(cause), detail }));
  if (miss !== null)
    return {
      kind: miss.declared ? "declared" : "undeclared",
      cause: miss.cause,
      title: describeCause(miss.cause),
      detail: miss.detail,
      also,
    };
  if (cold !== null) return { kind: "cold", ...cold, title: describeCause(cold.cause), also };
  if (predicted_read === null || !is_billed || usage.cache_read_tokens >= predicted_read * (1 - TOLERANCE)) return null;
  return {
    kind: "short",
    cause: "less_read",
    title: "Less was read from the cache than predicted",
    detail: `The receipt predicted that ${formatCount(predicted_read)} tokens would be read from the cache; ${formatCount(usage.cache_read_tokens)} were.`,
    also: [],
  };
}

/** Whether the cause is alarming, because it was not intended. */
export function isAlarming({ kind }: CacheBreak): boolean {
  return kind === "undeclared" || kind === "short";
}

export function inputOf({ usage }: ModelRequest): number {
  return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
}

/** The share of the input that was read from the cache; null if unknown. */
export function readShare(request: ModelRequest): number | null {
  const input = inputOf(request);
  return !request.is_billed || input === 0 ? null : request.usage.cache_read_tokens / input;
}
