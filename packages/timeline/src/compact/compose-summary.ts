/**
 * The text of a summary: directives, then paths, then prose, each within its share of the cap.
 *
 * Prose of the covered range takes at most 800 tokens, prose of the beginning of a split turn 400. Without new prose,
 * the earlier prose is kept, because it says things that reading paths does not show.
 */
import type { CountTokens } from "../base/ports.ts";
import { clipTokens } from "./clip-tokens.ts";
import type { CompactionPlan, CompactionProse } from "./compaction-plan.ts";
import { directivesTokens, fitDirectives } from "./digest/fit-directives.ts";
import { fitPaths, pathsTokens } from "./digest/summary-text.ts";
import { shareCap } from "./shares.ts";

export const PROSE_TOKENS = 800;
export const PREFIX_TOKENS = 400;
/** The share of the prose for the beginning of a split turn, so that neither part displaces the other. */
const PREFIX_SHARE = 1 / 3;
export const SPLIT_TURN_HEADING = "**Turn Context (split turn):**";

export interface ComposedSummary {
  readonly text: string;
  /** The shown prose of the covered range. This prose is reused when the next compaction has no prose. */
  readonly prose: string;
  /** Whether the text contains the whole digest. */
  readonly complete: boolean;
}

export function composeSummary(
  plan: CompactionPlan,
  prose: CompactionProse,
  countTokens: CountTokens,
): ComposedSummary {
  const { cap, page, previous } = plan;
  const wanted = composeProse(plan, prose, Number.POSITIVE_INFINITY, countTokens);
  const shares = shareCap(cap, {
    directives: directivesTokens(page.directives, countTokens),
    prose: proseTokens(wanted.whole, countTokens),
    paths: pathsTokens(page, previous, countTokens),
  });
  const written = composeProse(plan, prose, shares.prose, countTokens);
  const directives = fitDirectives(page.directives, shares.directives, countTokens);
  const used =
    proseTokens(written.whole, countTokens) + (directives.text === "" ? 0 : countTokens(`${directives.text}\n`));
  const paths = fitPaths(page, previous, cap - used, countTokens);
  const digest = [directives.text, paths.text].filter((part) => part !== "").join("\n");
  return {
    text: [digest, written.whole].filter((part) => part !== "").join("\n\n"),
    prose: written.summary,
    complete: directives.complete && paths.complete,
  };
}

function composeProse(
  plan: CompactionPlan,
  prose: CompactionProse,
  room: number,
  countTokens: CountTokens,
): { readonly summary: string; readonly whole: string } {
  const clip = (text: string, limit: number) => clipTokens(text.trim(), Math.floor(limit), countTokens).trim();
  const text = clip(prose.summary ?? plan.earlierProse, PROSE_TOKENS);
  const prefix = plan.splitTurn === null ? "" : clip(prose.prefix ?? "", PREFIX_TOKENS);
  const whole = joinProse(text, prefix);
  if (proseTokens(whole, countTokens) <= room) return { summary: text, whole };
  const heading = prefix === "" ? 0 : countTokens(`\n\n${SPLIT_TURN_HEADING}\n`);
  const forPrefix = Math.max(room * PREFIX_SHARE, room - proseTokens(text, countTokens)) - heading;
  const fittedPrefix = clip(prefix, Math.min(PREFIX_TOKENS, forPrefix));
  const taken = fittedPrefix === "" ? 0 : heading + countTokens(fittedPrefix);
  // Counts the tokens of the prose with the blank line before it.
  const summary = clip(text, room - taken - countTokens("\n\n"));
  return { summary, whole: joinProse(summary, fittedPrefix) };
}

function joinProse(summary: string, prefix: string): string {
  const parts = [summary, prefix === "" ? "" : `${SPLIT_TURN_HEADING}\n${prefix}`];
  return parts.filter((part) => part !== "").join("\n\n");
}

function proseTokens(whole: string, countTokens: CountTokens): number {
  return whole === "" ? 0 : countTokens(`\n\n${whole}`);
}
