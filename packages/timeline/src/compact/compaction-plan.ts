/** What a compaction is going to do, between its two steps, and the prose a model gives for it in between. */
import type { Entry } from "../state/entry.ts";
import type { ContextBudget } from "./budget.ts";
import type { CompactionDigest } from "./digest.ts";

export interface CompactionPlan {
  /** The turn that is under way; the summary's path names it. */
  readonly currentTurn: string;
  /** Index in the slice, and position, of the first block that stays. */
  readonly cut: number;
  readonly cutPosition: number;
  /** What is summarised; the earlier summary, if any, is the first. */
  readonly covered: readonly Entry[];
  /** The last part of `covered` that belongs to a turn going on behind the cut; summarised apart. */
  readonly splitPrefix: readonly Entry[];
  readonly splitTurn: string | null;
  readonly coveredTurns: readonly string[];
  /** The union of everything covered, and the page of it that the summary shows. */
  readonly digest: CompactionDigest;
  readonly page: CompactionDigest;
  /** Path of the summary before this one, and what a model wrote for it. */
  readonly previous: string | null;
  readonly earlierProse: string;
  /** The room of the request that does not fit, and whether a provider has refused it already. */
  readonly budget: ContextBudget;
  readonly forced: boolean;
  readonly cap: number;
  /** Tokens that are visible now, and those of them that stay. */
  readonly beforeTokens: number;
  readonly keptTokens: number;
}

/** Prose for the covered range and, when a turn is split, for that turn's beginning; null where there is none. */
export interface CompactionProse {
  readonly summary: string | null;
  readonly prefix: string | null;
}
