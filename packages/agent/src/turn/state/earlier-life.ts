/**
 * What a turn needs to continue after a restart: its spending, its violations in a row, and its last decision. These
 * are stored in the same batch as the blocks of a decision, so a restart neither resets the budget of a turn nor
 * changes the numbers of its decisions.
 */
import type { Json, TimelineState } from "@cairn/timeline";
import { readUnfinished, type Unfinished } from "../../protocol/unfinished.ts";
import { NOTHING_SPENT, type Spent } from "./budget.ts";

export interface EarlierLife {
  readonly spent: Spent;
  /** Number of violations in a row. */
  readonly violations: number;
  readonly lastDecision: string | null;
  /** The unfinished answer that the turn was continuing. */
  readonly unfinished: Unfinished | null;
}

/** Stored with the receipts of a fallback model. A type and not an interface, so that TypeScript accepts it as JSON. */
export type FellBack = {
  /** The id of the agent's own model, which failed. */
  readonly from: string;
  /** Time of the failure, in epoch milliseconds. */
  readonly at: number;
};

/** Progress of a turn that is stored with the receipt of each decision. */
export interface KeptProgress {
  readonly turn_id: string;
  readonly spent: { readonly [part in keyof Spent]: number };
  readonly decision: string | null;
  /** The decision that was carried out before this one, and that remains the last one if this one is rejected. */
  readonly carried_out: string | null;
  /** Settings of the message, which a compaction may have removed from the window. */
  readonly turn_settings?: { readonly [name: string]: Json };
  /** Whether the request offered the tool for structured output. */
  readonly offers_output?: true;
  /** Present while a fallback model answers. */
  readonly fell_back?: FellBack;
}

export function readFellBack(kept: unknown): FellBack | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { from, at } = kept as Readonly<Record<string, unknown>>;
  return typeof from === "string" && typeof at === "number" ? { from, at } : null;
}

/** The stored settings of a turn's message; undefined for none. */
export function settingsOfTurn(state: TimelineState, turnId: string | null): unknown {
  if (turnId === null) return undefined;
  const receipt = state.lastReceipt;
  if (receipt?.turn_id === turnId) return receipt.turn_settings;
  const prompt = state.turnEntries(turnId).find(({ kind }) => kind.role === "prompt");
  return prompt?.block.meta?.settings;
}

export function readEarlierLife(state: TimelineState, turnId: string | null): EarlierLife {
  const receipt = state.lastReceipt;
  if (turnId === null || receipt?.turn_id !== turnId)
    return { spent: NOTHING_SPENT, violations: 0, lastDecision: null, unfinished: null };
  const violations = violationsInARow(state, turnId);
  const last = violations === 0 ? receipt.decision : receipt.carried_out;
  const block = state.turnEntries(turnId).findLast(({ kind }) => kind.role !== "notice")?.block;
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

/** Violations since the last valid decision. A violation stores a raw text, and a valid decision begins with calls. */
function violationsInARow(state: TimelineState, turnId: string): number {
  let count = 0;
  for (const { block, kind } of state.turnEntries(turnId).toReversed()) {
    if (kind.role === "call") break;
    if (kind.role === "raw_decision" && readUnfinished(block) === null) count++;
  }
  return count;
}
