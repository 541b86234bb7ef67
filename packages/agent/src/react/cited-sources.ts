/** What a text cites, told apart by whether it could: as its block keeps it, and as the model is told. */
import { type CitedIds, type Json, splitCited } from "@cairn/timeline";
import type { SourcesSeen } from "../tool/sources-seen.ts";
import type { Scribe } from "../tool/tool.ts";

export function tellApart(sids: readonly number[], { known, has }: SourcesSeen): CitedIds {
  return splitCited(sids, has, known);
}

/** `sources_used` and `sources_unknown`, each absent when there are none. */
export function citedFields({ used, unknown }: CitedIds): Record<string, Json> {
  return {
    ...(used.length === 0 ? {} : { sources_used: [...used] }),
    ...(unknown.length === 0 ? {} : { sources_unknown: [...unknown] }),
  };
}

/** What a block that cites keeps beside its text, so that no later source becomes one of its own; absent when it cites nothing. */
export function knownField({ used, unknown }: CitedIds, { known }: SourcesSeen): Record<string, Json> {
  return used.length + unknown.length === 0 ? {} : { sources_known: known };
}

const MOST_NAMED = 20;

/** Null when everything it cites is known. */
export function unknownNotice({ unknown }: CitedIds, what: string): Record<"code" | "message", string> | null {
  if (unknown.length === 0) return null;
  const named = unknown.slice(0, MOST_NAMED).map((sid) => `S:${sid}`);
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : "";
  return {
    code: "citation_unknown",
    message: `${what} cites ${named.join(", ")}${more}, which no source had when it was written. Those tokens stay as text and cite nothing. Cite only sources of the pool.`,
  };
}

export function noteUnknown(scribe: Scribe, cited: CitedIds, what: string): void {
  const notice = unknownNotice(cited, what);
  if (notice !== null) scribe.notice(notice.code, notice.message);
}
