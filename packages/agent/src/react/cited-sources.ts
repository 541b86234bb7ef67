/** The citations of a text: the fields for its block, and a notice to the model about citations without a source. */
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

/** Records the sources that exist when a block is written, so that a later source does not become a citation of it. */
export function knownField({ used, unknown }: CitedIds, { known }: SourcesSeen): Record<string, Json> {
  return used.length + unknown.length === 0 ? {} : { sources_known: known };
}

const MAX_NAMED = 20;

/** A notice that names citations without a source; null when every citation has one. */
export function unknownNotice({ unknown }: CitedIds, what: string): Record<"code" | "message", string> | null {
  if (unknown.length === 0) return null;
  const named = unknown.slice(0, MAX_NAMED).map((sid) => `S:${sid}`);
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : "";
  return {
    code: "citation_unknown",
    message: `${what} cites ${named.join(", ")}${more}, but the pool had no such source when it was written. Those tokens stay as text and cite nothing. Cite only sources of the pool.`,
  };
}

export function noteUnknown(scribe: Scribe, cited: CitedIds, what: string): void {
  const notice = unknownNotice(cited, what);
  if (notice !== null) scribe.notice(notice.code, notice.message);
}
