/**
 * Explains why a request should read less from the cache than the previous request left there, although both begin with
 * the same bytes. Possible causes: too much time passed; another model has another cache; a setting or the schema of
 * the answer changed. `explainCacheMiss` explains requests whose bytes differ.
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

/** The causes; empty if the read should be the whole cached part of the previous request, or if that is unknown. */
export function explainCold(before: MadeRequest, after: MadeRequest): readonly ColdCache[] {
  const [old, now] = [before.record.cache?.entries.at(-1), after.record.cache];
  if (now === null || old === undefined || now.predicted_read >= old.tokens) return [];
  const causes = [...coldCauses(before, after)];
  if (causes.length > 0) return causes;
  // All other values were compared above, so only these settings can have changed.
  const detail = "The tool choice, thinking, effort or pictures differ from the previous request.";
  return [{ cause: "settings_changed", detail }];
}

/** Each cause alone empties the cache for the request, even if no bytes differ. The most important comes first. */
export function* coldCauses(before: MadeRequest, after: MadeRequest): Generator<ColdCache> {
  const [old, now] = [before.record, after.record];
  const left = old.cache?.entries.at(-1);
  if (now.cache === null || left === undefined) return;
  if (old.model !== now.model)
    yield { cause: "model_changed", detail: `${now.model} cannot read the cache of ${old.model}.` };
  const [formerly, sentAs] = [old.sent?.lowering, now.sent?.lowering];
  if (formerly !== undefined && sentAs !== undefined && nameOf(formerly) !== nameOf(sentAs))
    yield {
      cause: "lowering_changed",
      detail: `The history is now sent as ${nameOf(sentAs)}; before, it was sent as ${nameOf(formerly)}.`,
    };
  const life = PROVIDERS[now.cache.provider].ttlSeconds[left.ttl];
  const pause = Math.round(after.startedAt - before.startedAt);
  if (pause > life)
    yield {
      cause: "expired",
      detail: `${pause} s passed since the previous request, but the cache is kept for only ${life} s.`,
    };
  if (old.sent?.output !== now.sent?.output)
    yield { cause: "output_changed", detail: "The previous request asked for a different form of answer." };
}

function nameOf({ name, version }: Lowering): string {
  return `${name} ${version}`;
}
