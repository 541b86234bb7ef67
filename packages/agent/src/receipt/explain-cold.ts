/**
 * Explains why a request should read less from the cache than the one before left there, although it begins with the
 * same bytes: too much time passed, a different model has a different cache, or a setting that affects the messages, or
 * the schema of the answer, changed. A request whose bytes differ is explained by `explainCacheMiss`.
 */
import { type Lowering, PROVIDERS } from "@cairn/timeline";
import type { RequestRecord } from "./request-record.ts";

export interface ColdCache {
  readonly cause: "model_changed" | "lowering_changed" | "expired" | "output_changed" | "settings_changed";
  /** A sentence that says what happened. */
  readonly detail: string;
}

export interface MadeRequest {
  readonly record: RequestRecord;
  /** Epoch seconds. */
  readonly startedAt: number;
}

/** Null when everything from the request before should be read, or nothing is known. */
export function explainCold(before: MadeRequest, after: MadeRequest): ColdCache | null {
  const [old, now] = [before.record, after.record];
  const left = old.cache?.entries.at(-1);
  if (now.cache === null || left === undefined || now.cache.predicted_read >= left.tokens) return null;
  if (old.model !== now.model)
    return { cause: "model_changed", detail: `${now.model} cannot read the cache of ${old.model}.` };
  const [formerly, sentAs] = [old.sent?.lowering, now.sent?.lowering];
  if (formerly !== undefined && sentAs !== undefined && nameOf(formerly) !== nameOf(sentAs))
    return {
      cause: "lowering_changed",
      detail: `The history is now sent as ${nameOf(sentAs)}; before, it was sent as ${nameOf(formerly)}.`,
    };
  const life = PROVIDERS[now.cache.provider].ttlSeconds[left.ttl];
  const pause = Math.round(after.startedAt - before.startedAt);
  if (pause > life)
    return {
      cause: "expired",
      detail: `${pause} s passed since the previous request, but the cache is kept for only ${life} s.`,
    };
  if (old.sent?.output !== now.sent?.output)
    return { cause: "output_changed", detail: "The previous request asked for a different form of answer." };
  return {
    cause: "settings_changed",
    detail: "The tool choice, thinking or pictures differ from the previous request.",
  };
}

function nameOf({ name, version }: Lowering): string {
  return `${name} ${version}`;
}
