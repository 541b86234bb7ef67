/**
 * What the model is asked for a summary, and in how many pieces when the covered range is larger than its window.
 *
 * The request reuses the conversation's own prefix: the same tools, system text and blocks, and one instruction
 * behind them, so that it is read from the cache.
 */
import type { CountTokens } from "../ports.ts";
import type { Entry } from "../state/entry.ts";
import { shownTokens } from "../tokens/estimate-messages.ts";
import type { CompactionPlan } from "./compaction-plan.ts";
import { SPLIT_TURN_HEADING } from "./compose-summary.ts";
import { legalCuts } from "./cut.ts";

/** Covered entries in runs of at most `maxTokens`, cut where a compaction could; one run larger than that stands alone. */
export function summaryChunks(covered: readonly Entry[], maxTokens: number, countTokens: CountTokens): Entry[][] {
  const cuts = [...legalCuts(covered), covered.length];
  const chunks: Entry[][] = [];
  let chunk: Entry[] = [];
  let tokens = 0;
  let start = 0;
  for (const cut of cuts) {
    const part = covered.slice(start, cut);
    const size = part.reduce((sum, entry) => sum + shownTokens(entry, countTokens), 0);
    if (chunk.length > 0 && tokens + size > maxTokens) {
      chunks.push(chunk);
      chunk = [];
      tokens = 0;
    }
    for (const entry of part) chunk.push(entry);
    tokens += size;
    start = cut;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

/** The instruction for the prose of the covered range, put behind the conversation. */
export function summaryInstruction(plan: CompactionPlan): string {
  const last = plan.covered.at(-1)?.block.path;
  return [
    `Summarise the conversation above up to and including ${last ?? "the last block before the cut"}, for yourself: you will go on with the summary in place of it.`,
    "Use these headings: Goal, Constraints, Progress, Decisions, Next Steps, Critical Context. At most 800 tokens.",
    "Keep names, numbers and decisions exact. Paths, files and sources are listed for you elsewhere: do not repeat them. Call no tool.",
  ].join("\n");
}

/** The instruction for the beginning of a turn that the cut splits; null when none is. */
export function prefixInstruction(plan: CompactionPlan): string | null {
  if (plan.splitTurn === null) return null;
  return `Summarise in at most 400 tokens what was asked and done so far in ${plan.splitTurn}, before the cut. It is shown under ${SPLIT_TURN_HEADING} Call no tool.`;
}
