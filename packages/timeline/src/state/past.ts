/**
 * Statistics of a conversation's past, used to predict its future: the length of its pauses, how much a turn adds, how
 * much pruned content was read back, and how its models count tokens.
 *
 * The statistics are folded from the events and stored in snapshots, so a restart changes no decision. Their size is
 * bounded, however long the conversation is.
 */
import { isJsonObject } from "../base/json.ts";
import { PROVIDERS } from "../cache/providers.ts";
import type { EventBody } from "../event/event.ts";
import { type Calibration, calibrate, calibrateRefusal } from "../tokens/calibration.ts";
import type { Entry } from "./entry.ts";

type ReceiptBody = EventBody<"model.receipt">;

/** The statistics as JSON, as a snapshot contains them. */
export interface PastSnapshot {
  readonly requests: number;
  readonly pauses: readonly number[];
  readonly turns: number;
  readonly added_tokens: number;
  readonly added_before_turn: number;
  readonly pruned_tokens: number;
  readonly read_again_tokens: number;
  readonly calibrations: readonly (readonly [model: string, calibration: Calibration])[];
}

/** Maximum number of pauses kept; older ones say little about the next. */
const MAX_PAUSES = 64;
/** The shortest cache lifetime of any provider. A shorter wait inside a turn is not a pause. */
const MIN_LIFE_SECONDS = Math.min(...Object.values(PROVIDERS).flatMap(({ ttlSeconds }) => Object.values(ttlSeconds)));

export class Past {
  /** Model requests made so far. */
  requests = 0;
  /** Seconds between requests when the user, or a long call, kept the model waiting; the latest ones only. */
  #pauses: number[] = [];
  #turns = 0;
  #addedTokens = 0;
  #addedBeforeTurn = 0;
  /** Tokens of the blocks that were pruned, and of those that were read back. */
  prunedTokens = 0;
  readAgainTokens = 0;
  #calibrations = new Map<string, Calibration>();

  /** Seconds of each pause, including the one that ends now. */
  pausesUntil(now: number, turnId: string | null, last: ReceiptBody | null): readonly number[] {
    const pause = pauseBetween(last, now, turnId);
    return pause === null ? this.#pauses : [...this.#pauses, pause];
  }

  /** Size of a turn relative to the history before it; null without a history. `visible`: tokens shown now. */
  turnShare(visible: number): number | null {
    const turns = this.#turns - 1;
    const before = visible - (this.#addedTokens - this.#addedBeforeTurn);
    return turns < 1 || before <= 0 ? null : this.#addedBeforeTurn / turns / before;
  }

  calibration(model: string): Calibration | undefined {
    return this.#calibrations.get(model);
  }

  noteTurn(): void {
    this.#turns++;
    this.#addedBeforeTurn = this.#addedTokens;
  }

  /** `originals`: the entries at the path of a block that was read back; empty for any other block. */
  noteBlock({ tokens }: Entry, originals: readonly Entry[]): void {
    this.#addedTokens += tokens ?? 0;
    if (originals.some(isPruned)) this.readAgainTokens += tokens ?? 0;
  }

  notePruned(entry: Entry): void {
    if (entry.path !== null && entry.block.text !== undefined) this.prunedTokens += entry.tokens ?? 0;
  }

  noteReceipt(receipt: ReceiptBody, last: ReceiptBody | null): void {
    this.requests++;
    const pause = pauseBetween(last, receipt.started_at, turnOf(receipt));
    if (pause !== null) this.#pauses = [...this.#pauses.slice(1 - MAX_PAUSES), pause];
    this.#calibrate(receipt);
  }

  #calibrate(receipt: ReceiptBody): void {
    const { tokens, usage, refused } = receipt;
    const model = calibratedAs(receipt.model, receipt.lowering);
    if (model === null) return;
    let known = this.#calibrations.get(model);
    if (tokens !== undefined && usage !== undefined) {
      const reported = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
      known = calibrate(known, tokens.tools + tokens.system + tokens.stable + tokens.tail, reported);
    }
    if (isJsonObject(refused)) known = calibrateRefusal(known, Number(refused.estimated), Number(refused.counted));
    if (known !== undefined) this.#calibrations.set(model, known);
  }

  snapshot(): PastSnapshot {
    return {
      requests: this.requests,
      pauses: this.#pauses,
      turns: this.#turns,
      added_tokens: this.#addedTokens,
      added_before_turn: this.#addedBeforeTurn,
      pruned_tokens: this.prunedTokens,
      read_again_tokens: this.readAgainTokens,
      calibrations: [...this.#calibrations],
    };
  }

  static restore(snapshot: PastSnapshot): Past {
    const past = new Past();
    past.requests = snapshot.requests;
    past.#pauses = [...snapshot.pauses];
    past.#turns = snapshot.turns;
    past.#addedTokens = snapshot.added_tokens;
    past.#addedBeforeTurn = snapshot.added_before_turn;
    past.prunedTokens = snapshot.pruned_tokens;
    past.readAgainTokens = snapshot.read_again_tokens;
    past.#calibrations = new Map(snapshot.calibrations);
    return past;
  }

  /** Estimates the past from the window and the last receipt, for a snapshot from before the past was stored. */
  static estimate(window: readonly Entry[], last: ReceiptBody | null): Past {
    const past = new Past();
    const turns = new Set<string>();
    for (const entry of window) {
      const { turn_id: turn } = entry.block;
      if (turn !== undefined && entry.kind.role !== "summary" && !turns.has(turn)) {
        turns.add(turn);
        past.noteTurn();
      }
      past.#addedTokens += entry.tokens ?? 0;
      if (isPruned(entry)) past.notePruned(entry);
    }
    if (last !== null) {
      past.#calibrate(last);
      past.requests = last.n ?? 1;
    }
    return past;
  }
}

/** The name under which a model's counts are stored, with the wire form that affects them; null without a name. */
export function calibratedAs(model: unknown, lowering: unknown = "flat"): string | null {
  return typeof model === "string" ? `${model} ${String(lowering)}` : null;
}

function isPruned({ overlay }: Entry): boolean {
  return overlay !== null && overlay.by !== "agent";
}

function turnOf(receipt: ReceiptBody): string | null {
  return typeof receipt.turn_id === "string" ? receipt.turn_id : null;
}

function pauseBetween(last: ReceiptBody | null, now: number, turnId: string | null): number | null {
  if (last === null) return null;
  const seconds = Math.max(0, now - last.started_at);
  return turnOf(last) !== turnId || seconds > MIN_LIFE_SECONDS ? seconds : null;
}
