/** The plan of a compaction, between its two steps, and the prose a model writes for it. */
import type { Entry } from "../state/entry.ts";
import type { ContextBudget } from "./budget.ts";
import type { CompactionDigest } from "./digest/digest.ts";

export interface CompactionPlan {
  /** The current turn; the summary's path contains it. */
  readonly currentTurn: string;
  /** Index in the slice, and position, of the first block that is kept. */
  readonly cut: number;
  readonly cutPosition: number;
  /** The entries to summarise. If there is an earlier summary, it is the first entry. */
  readonly covered: readonly Entry[];
  /** The end of `covered` that belongs to a turn which continues after the cut. This part is summarised separately. */
  readonly splitPrefix: readonly Entry[];
  readonly splitTurn: string | null;
  readonly coveredTurns: readonly string[];
  /** The digest of all covered blocks, and the page of it that the summary shows. */
  readonly digest: CompactionDigest;
  readonly page: CompactionDigest;
  /** Path and prose of the previous summary. */
  readonly previous: string | null;
  readonly earlierProse: string;
  /** The budget of the request that does not fit, and whether a provider has already rejected the request. */
  readonly budget: ContextBudget;
  readonly forced: boolean;
  readonly cap: number;
  /** Tokens visible now, and tokens of the blocks that are kept. */
  readonly beforeTokens: number;
  readonly keptTokens: number;
}

/** Prose for the covered range and, when a turn is split, for that turn's beginning; null where there is none. */
export interface CompactionProse {
  readonly summary: string | null;
  readonly prefix: string | null;
}
