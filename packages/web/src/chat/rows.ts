/** A conversation as rows. The rows of a turn are cached, so that a change in one turn does not affect other rows. */
import type { InputView, PendingView, RoundView, TurnView } from "@cairn/timeline";
import type { OpenStreams } from "../state/live-text.ts";
import type { Outgoing } from "../state/session.ts";

type TurnPart = "prompt" | "plan" | "compaction" | "live" | "answer" | "files" | "end";

export type Row =
  | { readonly kind: TurnPart; readonly key: string; readonly turn: TurnView }
  | { readonly kind: "steer"; readonly key: string; readonly turn: TurnView; readonly input: InputView }
  | { readonly kind: "work"; readonly key: string; readonly turn: TurnView; readonly isFolded: boolean }
  | { readonly kind: "round"; readonly key: string; readonly turn: TurnView; readonly round: RoundView }
  | { readonly kind: "pending"; readonly key: string; readonly pending: PendingView }
  | { readonly kind: "outgoing"; readonly key: string; readonly outgoing: Outgoing };

export interface RowsInput {
  readonly turns: readonly TurnView[];
  readonly pending: readonly PendingView[];
  readonly outgoing: readonly Outgoing[];
  /** Whether the user folded or unfolded the rounds of a turn, if at all. */
  readonly folds: ReadonlyMap<string, boolean>;
}

export function rowsOf({ turns, pending, outgoing, folds }: RowsInput): Row[] {
  const rows = turns.flatMap((turn) => turnRows(turn, isFolded(turn, folds)));
  for (const each of pending) rows.push({ kind: "pending", key: `pending ${each.key}`, pending: each });
  for (const each of outgoing) rows.push({ kind: "outgoing", key: `outgoing ${each.key}`, outgoing: each });
  return rows;
}

/**
 * Rounds are open while a turn runs and fold when it ends, except if the user stopped a call and wants to see how far it
 * came. A call that waits for approval is never hidden.
 */
function isFolded(turn: TurnView, folds: ReadonlyMap<string, boolean>): boolean {
  if (turn.rounds.some(({ status }) => status === "waiting_approval")) return false;
  const isStopped = turn.rounds.some(({ error }) => error?.code === "tool_cancelled");
  return folds.get(turn.turn_id) ?? (turn.closed_at !== null && !isStopped);
}

const made = new WeakMap<TurnView, { readonly folded: Row[] | null; readonly open: Row[] | null }>();

function turnRows(turn: TurnView, folded: boolean): Row[] {
  const known = made.get(turn);
  const rows = (folded ? known?.folded : known?.open) ?? makeRows(turn, folded);
  made.set(turn, { folded: known?.folded ?? null, open: known?.open ?? null, [folded ? "folded" : "open"]: rows });
  return rows;
}

function makeRows(turn: TurnView, folded: boolean): Row[] {
  const id = turn.turn_id;
  const rows: Row[] = [{ kind: "prompt", key: `${id} prompt`, turn }];
  if (turn.plan !== null) rows.push({ kind: "plan", key: `${id} plan`, turn });
  if (turn.rounds.length > 0) rows.push({ kind: "work", key: `${id} work`, turn, isFolded: folded });
  const steers = turn.inputs.map((input, index): Row => ({ kind: "steer", key: `${id} steer ${index}`, turn, input }));
  if (folded) rows.push(...steers);
  else rows.push(...merged(turn, steers));
  if (turn.compactions.length > 0) rows.push({ kind: "compaction", key: `${id} compaction`, turn });
  const isOver = turn.completion !== null || (turn.closed_at !== null && turn.thinking !== undefined);
  if (isOver) rows.push({ kind: "answer", key: `${id} answer`, turn });
  // In this row, live text becomes the answer.
  const liveKey = `${id} ${turn.completion === null ? "answer" : "live"}`;
  if (turn.closed_at === null) rows.push({ kind: "live", key: liveKey, turn });
  if (turn.files.length > 0 && turn.closed_at !== null) rows.push({ kind: "files", key: `${id} files`, turn });
  if (turn.closed_at !== null) rows.push({ kind: "end", key: `${id} end`, turn });
  return rows;
}

/** The rounds in order, and each message of the user at its place between them. */
function merged(turn: TurnView, steers: readonly Row[]): Row[] {
  const rows: Row[] = [];
  let next = 0;
  for (const round of turn.rounds) {
    for (; next < steers.length; next++) {
      const steer = steers[next];
      const ts = turn.inputs[next]?.ts ?? null;
      if (steer === undefined || ts === null || round.started_at === null || ts > round.started_at) break;
      rows.push(steer);
    }
    rows.push({ kind: "round", key: roundKey(turn, round), turn, round });
  }
  rows.push(...steers.slice(next));
  return rows;
}

export function roundKey({ turn_id }: TurnView, { call_id }: RoundView): string {
  return `${turn_id} ${call_id}`;
}

const guesses = new WeakMap<Row, number>();

/** Estimated height of a row, in pixels, until it is rendered. */
export function guessHeight(row: Row): number {
  const known = guesses.get(row);
  if (known !== undefined) return known;
  const height = reckonHeight(row);
  guesses.set(row, height);
  return height;
}

/** A message with more lines scrolls. */
export const MAX_SAID_LINES = 30;

function reckonHeight(row: Row): number {
  switch (row.kind) {
    case "prompt":
      return (
        72 + Math.min(MAX_SAID_LINES, linesOf(row.turn.prompt.text)) * 23 + (row.turn.attachments.length > 0 ? 48 : 0)
      );
    case "answer":
      return 24 + linesOf(row.turn.completion?.text ?? "") * 27;
    case "plan":
      return 56 + Math.min(12, row.turn.plan?.steps.length ?? 0) * 26;
    case "files":
      return 18 + Math.min(6, Math.ceil(row.turn.files.length / 2)) * 74;
    case "end":
      return 60;
    default:
      return 40;
  }
}

function linesOf(text: string): number {
  return Math.min(200, Math.ceil(text.length / 78) + (text.match(/\n/g)?.length ?? 0));
}

/** Groups the streams of a turn by the kind of text. */
export function streamsOf(streams: OpenStreams, turnId: string): readonly string[] {
  return [...streams]
    .filter(([, { turn_id, kind }]) => kind !== "input" && (turn_id === turnId || turn_id === null))
    .map(([key]) => key);
}
