/**
 * The digest of a compaction: a list of the covered blocks and the paths that read them back. The digest is made
 * deterministically from the blocks alone, and is a valid summary without any prose.
 *
 * A later compaction merges the earlier digest. Instructions, open plans, notes and cited sources are merged. The
 * earlier summary itself becomes a *page*: its path leads to everything it listed, so that from the newest summary any
 * covered block is at most two reads away, the page and the block, as long as all pages are listed.
 */
import { isJsonObject } from "../../base/json.ts";
import type { Block } from "../../block/block.ts";
import type { Directive } from "../../directive/directives.ts";
import type { ClosedOrder } from "../../directive/fold-directives.ts";
import type { PlanSnapshot } from "../../plan/plan.ts";

export interface CompactionDigest {
  /** Earlier summaries, oldest first. */
  readonly pages: readonly Page[];
  /** Directives, oldest first. */
  readonly directives: readonly Directive[];
  /** Orders that no longer apply, oldest first. */
  readonly closed_orders: readonly ClosedOrder[];
  readonly open_plans: readonly PlanSnapshot[];
  readonly notes: readonly { readonly path: string; readonly text: string }[];
  readonly cited_sids: readonly number[];
  /** Content of the covered turns, oldest first. */
  readonly turns: readonly TurnItem[];
  readonly artifacts: readonly ArtifactItem[];
  /** Files written or patched. */
  readonly files: readonly string[];
  readonly exec_outputs: readonly string[];
  readonly searches: readonly SearchItem[];
  readonly results: readonly ResultItem[];
  readonly hidden: readonly { readonly path: string; readonly replacement: string }[];
}

/** The digest of one range alone. `open_plans` contains the latest snapshot of every plan, including closed ones. */
export type OwnDigest = Omit<CompactionDigest, "pages">;

export interface Page {
  readonly path: string;
  readonly first_turn: string;
  readonly last_turn: string;
  readonly turns: number;
}

export interface TurnItem {
  readonly turn_id: string;
  /** Paths of the user's messages, with the beginning of the first. */
  readonly prompts: readonly string[];
  readonly about: string;
  readonly completion: string | null;
}

export interface ArtifactItem {
  readonly path: string;
  readonly version: number;
  readonly mime: string | null;
  readonly visibility: string | null;
  readonly sources_used: readonly number[];
}

export interface SearchItem {
  readonly path: string;
  readonly queries: readonly string[];
  readonly sources: string | null;
}

export interface ResultItem {
  readonly path: string;
  readonly tool: string | null;
}

export const EMPTY_DIGEST: CompactionDigest = {
  pages: [],
  directives: [],
  closed_orders: [],
  open_plans: [],
  notes: [],
  cited_sids: [],
  turns: [],
  artifacts: [],
  files: [],
  exec_outputs: [],
  searches: [],
  results: [],
  hidden: [],
};

/** The digest stored in a summary block; empty for a summary without one, such as one from another program. */
export function digestOfSummary(summary: Block): CompactionDigest {
  return readDigest(summary.meta?.compaction_digest);
}

/** The part of its digest that a summary shows. Reading the summary's path returns the whole digest. */
export function pageOfSummary(summary: Block): CompactionDigest {
  const { meta } = summary;
  return readDigest(meta?.digest_page ?? meta?.compaction_digest);
}

/** The prose of a summary, written by a model; the whole text of a summary from another program. */
export function proseOfSummary(summary: Block): string {
  const { meta, text } = summary;
  if (typeof meta?.prose === "string") return meta.prose;
  return isJsonObject(meta?.compaction_digest) ? "" : (text ?? "");
}

function readDigest(value: unknown): CompactionDigest {
  if (!isJsonObject(value)) return EMPTY_DIGEST;
  const lists = Object.keys(EMPTY_DIGEST).map((key) => [key, Array.isArray(value[key]) ? value[key] : []]);
  return Object.fromEntries(lists) as unknown as CompactionDigest;
}
