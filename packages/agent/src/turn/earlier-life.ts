/**
 * What an earlier life of the turn leaves to the next one: what it has spent, how often the model was asked again in
 * vain, and what it decided last. All of it is durable together with the blocks of the decision it belongs to, so that
 * a restart neither gives a turn its budget back nor numbers its decisions anew.
 */
import type { Json, TimelineState } from "@cairn/timeline";
import { readUnfinished, type Unfinished } from "../protocol/unfinished.ts";
import { NOTHING_SPENT, type Spent } from "./budget.ts";

export interface EarlierLife {
  readonly spent: Spent;
  /** Violations in a row. */
  readonly violations: number;
  readonly lastDecision: string | null;
  /** The answer that was being continued. */
  readonly unfinished: Unfinished | null;
}

/** Kept with the receipts of a model that stands in for another. A type, so that it is JSON as it stands. */
export type FellBack = {
  /** The agent's own model. */
  readonly from: string;
  /** When it failed, in epoch milliseconds. */
  readonly at: number;
};

/** Kept with the receipt of each decision. */
export interface KeptProgress {
  readonly turn_id: string;
  readonly spent: { readonly [part in keyof Spent]: number };
  readonly decision: string | null;
  /** What was carried out before it: still the last, should it be refused. */
  readonly carried_out: string | null;
  /** What the message brought, unless it was nothing. The block of the message may be compacted away. */
  readonly turn_settings?: { readonly [name: string]: Json };
  /** While another model than the agent's own answers. */
  readonly fell_back?: FellBack;
}

export function readFellBack(kept: unknown): FellBack | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { from, at } = kept as Readonly<Record<string, unknown>>;
  return typeof from === "string" && typeof at === "number" ? { from, at } : null;
}

/** The settings that came with the message of a turn, as they were kept; undefined for none. */
export function settingsOfTurn(state: TimelineState, turnId: string): unknown {
  const receipt = state.lastReceipt;
  if (receipt?.turn_id === turnId) return receipt.turn_settings;
  const prompt = state.turnEntries(turnId).find(({ block }) => block.type === "user.prompt");
  return prompt?.block.meta?.settings;
}

export function readEarlierLife(state: TimelineState, turnId: string): EarlierLife {
  const receipt = state.lastReceipt;
  if (receipt?.turn_id !== turnId) return { spent: NOTHING_SPENT, violations: 0, lastDecision: null, unfinished: null };
  const violations = violationsInARow(state, turnId);
  const last = violations === 0 ? receipt.decision : receipt.carried_out;
  const block = state.turnEntries(turnId).findLast((entry) => entry.block.type !== "react.notice")?.block;
  return {
    spent: readSpent(receipt.spent),
    violations,
    lastDecision: typeof last === "string" ? last : null,
    unfinished: block === undefined ? null : readUnfinished(block),
  };
}

function readSpent(kept: unknown): Spent {
  const fields = typeof kept === "object" && kept !== null ? (kept as Readonly<Record<string, unknown>>) : {};
  const read = (part: keyof Spent) => {
    const value = fields[part];
    return typeof value === "number" && Number.isFinite(value) ? value : NOTHING_SPENT[part];
  };
  return {
    iterations: read("iterations"),
    tokens: read("tokens"),
    dollars: read("dollars"),
    elapsedMs: read("elapsedMs"),
  };
}

/** Each violation keeps its raw text; a decision that was carried out begins with its calls. */
function violationsInARow(state: TimelineState, turnId: string): number {
  let count = 0;
  for (const { block } of state.turnEntries(turnId).toReversed()) {
    if (block.type === "react.tool.call") break;
    if (block.type === "react.decision.raw" && readUnfinished(block) === null) count++;
  }
  return count;
}
