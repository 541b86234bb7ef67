/**
 * Rounds: the unit in which cache checkpoints move.
 *
 * A round is everything one tool call left on the timeline; the completion of a turn is a round of its own. Rounds are
 * numbered from 0 by first appearance. A late result belongs to the round it answers, wherever it is.
 */
import { iterationOf } from "../block/call.ts";
import type { Call } from "../state/call.ts";
import type { Entry } from "../state/entry.ts";

/** Whether an entry belongs to the completion of its turn. */
function isCompletion({ block, kind }: Entry): boolean {
  return kind.group(block) === "completion";
}

function iterationKey(entry: Entry): string | null {
  const iteration = iterationOf(entry.block);
  return iteration === null ? null : `${entry.block.turn_id ?? ""} ${iteration}`;
}

export class Rounds {
  readonly #byCall = new Map<Call, number>();
  readonly #byCompletedTurn = new Map<string, number>();
  /** Index, in the visible slice, of the first and the last entry of each round. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The decision of each round, if a block names it, and the first round of each decision. */
  readonly #decisions: (string | null)[] = [];
  readonly #firstOf = new Map<string, number>();
  /** The call of the most recent entry: most entries belong to the same call as the one before. */
  #lastCall: Call | null = null;
  #lastRound = 0;

  /** Adds the next entry of the visible slice to its round. */
  add(entry: Entry, index: number): void {
    if (isCompletion(entry)) this.#addTo(this.#byCompletedTurn, entry.block.turn_id ?? "", entry, index);
    else if (entry.call === null) return;
    else if (entry.call === this.#lastCall) {
      this.#ends[this.#lastRound] = index;
      this.#noteDecision(this.#lastRound, entry);
    } else {
      this.#lastCall = entry.call;
      this.#lastRound = this.#addTo(this.#byCall, entry.call, entry, index);
    }
  }

  #addTo<K>(numbers: Map<K, number>, key: K, entry: Entry, index: number): number {
    let round = numbers.get(key);
    if (round === undefined) {
      round = this.#ends.length;
      numbers.set(key, round);
      this.#starts.push(index);
      this.#ends.push(index);
      this.#decisions.push(null);
    }
    this.#ends[round] = index;
    this.#noteDecision(round, entry);
    return round;
  }

  /** The first block of a round that names its decision sets it for the round. */
  #noteDecision(round: number, entry: Entry): void {
    if (this.#decisions[round] !== null) return;
    const decision = iterationKey(entry);
    if (decision === null) return;
    this.#decisions[round] = decision;
    if (!this.#firstOf.has(decision)) this.#firstOf.set(decision, round);
  }

  get count(): number {
    return this.#ends.length;
  }

  startOf(round: number): number | undefined {
    return this.#starts[round];
  }

  /** The earliest of the rounds that came from the same decision as the last one; the last one itself if unknown. */
  get firstOfLastDecision(): number {
    const last = this.count - 1;
    const decision = this.#decisions[last] ?? null;
    return decision === null ? last : (this.#firstOf.get(decision) ?? last);
  }

  endOf(round: number): number | undefined {
    return this.#ends[round];
  }
}
