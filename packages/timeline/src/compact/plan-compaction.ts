/**
 * Compaction: the blocks before a cut are replaced by one summary that describes them and says how to read them.
 *
 * A compaction is done in two steps around the only part that needs a model. `planCompaction` decides the cut and makes
 * the digest. `commitCompaction` adds the prose, if there is any: a compaction does not need a model, because the
 * digest alone is a valid summary. A summary takes at most a tenth of the window (`compose-summary.ts`).
 */
import { CairnError } from "../base/error.ts";
import type { JsonObject } from "../base/json.ts";
import type { CountTokens } from "../base/ports.ts";
import type { Steps } from "../base/steps.ts";
import type { Block } from "../block/block.ts";
import { makeEvent } from "../event/codec.ts";
import type { KnownEvent } from "../event/event.ts";
import type { ModelView } from "../render/model-view.ts";
import type { Entry } from "../state/entry.ts";
import { type ContextBudget, fixedTokens, isOverBudget, summaryCap } from "./budget.ts";
import type { CompactionPlan, CompactionProse } from "./compaction-plan.ts";
import { composeSummary } from "./compose-summary.ts";
import { uncoveredRoots } from "./coverage.ts";
import { chooseCut } from "./cut.ts";
import { digestOfSummary, EMPTY_DIGEST, type OwnDigest, pageOfSummary, proseOfSummary } from "./digest/digest.ts";
import { digestEntries } from "./digest-entries.ts";
import { pageOf, turnPage, uniteDigests } from "./digest-merge.ts";

export type { CompactionPlan, CompactionProse } from "./compaction-plan.ts";

/** The plan of a compaction, or null when none is needed or no cut is possible. */
export function* planCompaction(
  view: ModelView,
  budget: ContextBudget,
  force: boolean,
  countTokens: CountTokens,
  currentTurn: string | null = null,
): Steps<CompactionPlan | null> {
  const visible = view.shownTokens(countTokens);
  if (!force && !isOverBudget(visible, budget)) return null;
  const cut = chooseCut(view, budget, force, countTokens);
  const slice = view.slice();
  const first = cut === null ? undefined : slice[cut];
  if (cut === null || first === undefined) return null;
  const covered = slice.slice(0, cut);
  const summary = covered[0]?.kind.role === "summary" ? covered[0] : null;
  const earlierTurns = summary === null ? [] : coveredTurnsOf(summary.block);
  const splitTurn = splitTurnAt(slice, cut);
  const earlierPage = summary === null ? EMPTY_DIGEST : pageOfSummary(summary.block);
  const asPage = summary === null ? null : pageOf(summary.block, summary.version, earlierPage.turns);
  const own = yield* digestCovered(covered);
  const union = uniteDigests(summary === null ? EMPTY_DIGEST : digestOfSummary(summary.block), own, []);
  const cap = summaryCap(budget);
  const page = turnPage(earlierPage, asPage, own, union, cap, countTokens);
  return {
    currentTurn: currentTurn ?? view.lastTurn ?? earlierTurns.at(-1) ?? "turn_0",
    cut,
    cutPosition: first.position,
    covered,
    splitPrefix: splitTurn === null ? [] : covered.slice(firstOfTurn(covered, splitTurn)),
    splitTurn,
    coveredTurns: [...new Set([...earlierTurns, ...turnsOf(covered).filter((turn) => turn !== splitTurn)])],
    digest: { ...union, pages: page.pages },
    page,
    previous: asPage?.path ?? null,
    earlierProse: summary === null ? "" : proseOfSummary(summary.block),
    budget,
    forced: force,
    cap,
    beforeTokens: visible,
    keptTokens: visible - view.tokensBefore(cut, countTokens),
  };
}

export interface CommittedCompaction {
  readonly event: KnownEvent;
  readonly summary: Block;
}

export interface CommitContext {
  /** The current turn, which the summary's path names. */
  readonly turnId: string;
  readonly ts: string;
  /** Position of the summary block: the next position of the timeline. */
  readonly position: number;
  readonly versionOf: (summary: Block) => number;
  readonly countTokens: CountTokens;
  /** Counts the tokens of the block as it will be rendered. */
  readonly countBlock: (summary: Block) => number;
}

export function commitCompaction(
  plan: CompactionPlan,
  prose: CompactionProse,
  context: CommitContext,
): CommittedCompaction {
  const { turnId } = context;
  const composed = composeSummary(plan, prose, context.countTokens);
  const summary: Block = {
    type: "conv.range.summary",
    author: "system",
    turn_id: turnId,
    ts: context.ts,
    mime: "text/markdown",
    path: `su:${turnId}.conv.range.summary`,
    text: composed.text,
    meta: {
      covered_turn_ids: plan.coveredTurns,
      split_turn_id: plan.splitTurn,
      compaction_digest: plan.digest as unknown as JsonObject,
      digest_page: plan.page as unknown as JsonObject,
      digest_complete: composed.complete,
      prose: composed.prose,
      ...timeZoneOf(plan.covered),
    },
  };
  const tokens = context.countBlock(summary);
  const event = makeEvent("compaction.committed", {
    cut: plan.cutPosition,
    position: context.position,
    summary,
    tokens,
    version: context.versionOf(summary),
    before_tokens: plan.beforeTokens,
    after_tokens: plan.keptTokens + tokens,
  });
  return { event, summary };
}

/** The digest of the covered blocks, completed with every root that the collector does not know by its type. */
function* digestCovered(covered: readonly Entry[]): Steps<OwnDigest> {
  const own = yield* digestEntries(covered);
  const missing = uncoveredRoots(covered, own).map((path) => ({ path, tool: null }));
  return missing.length === 0 ? own : { ...own, results: [...own.results, ...missing] };
}

/** Throws `context_too_small` when a request cannot fit, and names the largest block that must stay. */
export function checkFits(view: ModelView, budget: ContextBudget, countTokens: CountTokens): void {
  const visible = view.shownTokens(countTokens);
  const needed = fixedTokens(budget) + visible;
  if (needed <= budget.maxTokens) return;
  let largest: { readonly index: number; readonly tokens: number } = { index: 0, tokens: -1 };
  for (const index of view.slice().keys()) {
    const tokens = view.tokensThrough(index, countTokens) - view.tokensThrough(index - 1, countTokens);
    if (tokens > largest.tokens) largest = { index, tokens };
  }
  const block = view.entryAt(largest.index)?.block;
  const name = block?.path ?? `${block?.type} at ${largest.index}`;
  throw new CairnError(
    "context_too_small",
    `The request needs ${needed} tokens and the model's window has ${budget.maxTokens}: ${name} alone takes ${largest.tokens}. Use a model with a larger window, or make that result smaller.`,
    { block: name, tokens: largest.tokens, needed, max_tokens: budget.maxTokens },
  );
}

function coveredTurnsOf(summary: Block): string[] {
  const turns = summary.meta?.covered_turn_ids;
  return Array.isArray(turns) ? turns.filter((turn): turn is string => typeof turn === "string") : [];
}

function turnsOf(entries: readonly Entry[]): string[] {
  const turns = new Set<string>();
  for (const { block, kind } of entries) if (block.turn_id && kind.role !== "summary") turns.add(block.turn_id);
  return [...turns];
}

/** The turn that has blocks on both sides of a cut, if any. */
function splitTurnAt(slice: readonly Entry[], cut: number): string | null {
  const after = slice[cut];
  const turn = after?.block.turn_id;
  if (after === undefined || turn === undefined || after.kind.isFrame) return null;
  return firstOfTurn(slice.slice(0, cut), turn) === -1 ? null : turn;
}

function firstOfTurn(entries: readonly Entry[], turn: string): number {
  return entries.findIndex(({ block, kind }) => block.turn_id === turn && kind.role !== "summary");
}

/** The time zone of the last message that is covered, for a turn that continues after its message was compacted. */
function timeZoneOf(covered: readonly Entry[]): { readonly time_zone?: string } {
  const last = covered.findLast(({ kind }) => kind.statesTimeZone);
  const zone = last?.block.meta?.time_zone;
  return typeof zone === "string" ? { time_zone: zone } : {};
}
