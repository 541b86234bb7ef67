/** The token budget of a request. A conversation is compacted when it would exceed 90 % of the model's window. */
import { CairnError } from "../base/error.ts";

export interface ContextBudget {
  /** Maximum tokens of the model's window. */
  readonly maxTokens: number;
  readonly systemTokens?: number | undefined;
  readonly toolsTokens?: number | undefined;
  /** Tokens of the sources and the announcement in the next request. */
  readonly tailTokens?: number | undefined;
  /** Maximum tokens of the answer. */
  readonly maxOutputTokens?: number | undefined;
}

const FILL = 0.9;
/** The share of the window for a summary, digest and prose together. */
const SUMMARY_SHARE = 0.1;
const KEEP_SHARE = 0.7;
const KEEP_TURNS_SHARE = 0.8;
const HEADROOM = 0.1;
/** Approximate tokens of a summary's header, path and covered turns, which its cap does not include. */
const SUMMARY_FRAME = 60;

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
 * The budget for blocks that no request has shown yet: half of what is free next to a summary, so that the other half
 * remains for earlier blocks. `most` is all of the free space, which they may use when even their headers need more
 * than half.
 */
export interface NewBlocksRoom {
  readonly share: number;
  readonly most: number;
}

export function newBlocksRoom(budget: ContextBudget): NewBlocksRoom {
  const free = Math.max(0, FILL * budget.maxTokens - fixedTokens(budget) - summaryCap(budget));
  return { share: Math.floor(free / 2), most: Math.max(0, Math.floor(free) - SUMMARY_FRAME) };
}

/** The share of the window that tools, system text and answer may take together. */
const FIXED_SHARE = 0.65;
/** The maximum share of the window that a request asks for as its answer. */
const OUTPUT_SHARE = 0.25;
/** The share of the window that the tail may always take. */
const TAIL_SHARE = 0.05;

/** The maximum answer that a request asks for: the model's maximum, but at most a quarter of its window. */
export function outputTokens(model: { readonly contextTokens: number; readonly maxOutputTokens: number }): number {
  return Math.min(model.maxOutputTokens, Math.floor(OUTPUT_SHARE * model.contextTokens));
}

/** Throws `context_too_small` when tools, system text and answer leave too little of the window for a conversation. */
export function checkFixedPart(budget: ContextBudget): void {
  const { maxTokens, systemTokens = 0, toolsTokens = 0, maxOutputTokens = 0 } = budget;
  const needed = systemTokens + toolsTokens + maxOutputTokens;
  const most = Math.floor(FIXED_SHARE * maxTokens);
  if (needed <= most) return;
  throw new CairnError(
    "context_too_small",
    `The agent's tools (${toolsTokens} tokens), its instructions (${systemTokens}) and the answer (${maxOutputTokens}) take ${needed} tokens. They may take ${most} of the model's window of ${maxTokens}. Give the agent fewer tools, shorter instructions or fewer output tokens, or use a model with a larger window.`,
    { tools: toolsTokens, system: systemTokens, max_output: maxOutputTokens, needed, max_tokens: maxTokens },
  );
}

/** The token limit of the tail: a twentieth of the window, or what is free when a tenth remains for new blocks. */
export function tailCap(budget: ContextBudget): number {
  const { maxTokens } = budget;
  const beside = fixedTokens({ ...budget, tailTokens: 0 }) + summaryCap(budget) + SUMMARY_FRAME;
  return Math.floor(Math.max(TAIL_SHARE * maxTokens, FILL * maxTokens - beside - HEADROOM * maxTokens));
}

/** The window size that a forced compaction assumes when the model's window is unknown. */
export const ASSUMED_WINDOW = 200_000;

/**
 * How many recent tokens are kept, and how many tokens the last turns may have to be kept whole.
 *
 * The shares assume a request with only system text and timeline. If tools and answer also take room, the shares alone
 * would fill the request completely, and the next round would compact again. So a tenth of the window is left free. In
 * any case the kept blocks, the summary and the rest must fit into the window.
 */
export function keepTokens(budget: ContextBudget): { readonly recent: number; readonly turns: number } {
  const { maxTokens, toolsTokens = 0, maxOutputTokens = 0 } = budget;
  const room = Math.max(0, maxTokens - (budget.systemTokens ?? 0));
  const beside = fixedTokens(budget) + summaryCap(budget) + SUMMARY_FRAME;
  const fitting = Math.max(0, maxTokens - beside);
  const [recent, turns] = [Math.min(KEEP_SHARE * room, fitting), Math.min(KEEP_TURNS_SHARE * room, fitting)];
  if (toolsTokens + maxOutputTokens === 0) return { recent, turns };
  const free = Math.max(0, FILL * maxTokens - beside);
  return { recent: Math.min(recent, Math.max(0, free - HEADROOM * maxTokens)), turns: Math.min(turns, free) };
}
