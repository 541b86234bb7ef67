/**
 * The room a request has. A conversation is compacted when tools, system text, everything visible, the tail and the
 * answer to come would pass 90 % of the model's window.
 */
export interface ContextBudget {
  /** The model's window. */
  readonly maxTokens: number;
  readonly systemTokens?: number | undefined;
  readonly toolsTokens?: number | undefined;
  /** Sources and announcement of the request about to be made. */
  readonly tailTokens?: number | undefined;
  /** What the answer may take. */
  readonly maxOutputTokens?: number | undefined;
}

const FILL = 0.9;
/** The part of the window a summary may take, digest and prose together. */
const SUMMARY_SHARE = 0.1;
const KEEP_SHARE = 0.7;
const KEEP_TURNS_SHARE = 0.8;
const LEAST_HEADROOM = 0.05;
const HEADROOM = 0.1;

/** Tokens of a request that are not the visible timeline. */
export function fixedTokens(budget: ContextBudget): number {
  const { systemTokens = 0, toolsTokens = 0, tailTokens = 0, maxOutputTokens = 0 } = budget;
  return systemTokens + toolsTokens + tailTokens + maxOutputTokens;
}

export function isOverBudget(visible: number, budget: ContextBudget): boolean {
  return fixedTokens(budget) + visible > FILL * budget.maxTokens;
}

export function summaryCap(budget: ContextBudget): number {
  return Math.floor(SUMMARY_SHARE * budget.maxTokens);
}

/**
 * Recent tokens to keep, and how many the last turns may take to be kept whole.
 *
 * Whatever the shares say, the summary and the rest of the request must fit beside what is kept, with room for more
 * rounds before the next compaction: where less than a twentieth of the window would be left, less is kept, so that a
 * tenth is.
 */
export function keepTokens(budget: ContextBudget): { readonly recent: number; readonly turns: number } {
  const { maxTokens } = budget;
  const room = Math.max(0, maxTokens - (budget.systemTokens ?? 0));
  const free = FILL * maxTokens - fixedTokens(budget) - summaryCap(budget);
  const keep = (share: number) =>
    free - share * room >= LEAST_HEADROOM * maxTokens ? share * room : Math.max(0, free - HEADROOM * maxTokens);
  const recent = keep(KEEP_SHARE);
  return { recent, turns: Math.max(recent, Math.min(KEEP_TURNS_SHARE * room, free)) };
}
