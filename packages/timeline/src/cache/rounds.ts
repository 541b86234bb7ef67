/**
 * Rounds: the unit in which cache checkpoints move.
 *
 * A round is everything one tool call left on the timeline; the completion of a turn is a round of its own. Rounds are
 * numbered from 0 by first appearance. A late result belongs to the round it answers, wherever it stands.
 */
import { iterationOf } from "../block/call.ts";
import type { Call } from "../state/call.ts";
import type { Entry } from "../state/entry.ts";

/** Whether an entry belongs to the completion of its turn. */
export function isCompletion({ type }: Entry): boolean {
  return (
    type === "assistant.completion" ||
    type === "stage.suggested_followups" ||
    type === "react.exit" ||
    type === "react.state"
  );
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
  readonly #iterations: (string | null)[] = [];
  /** The call whose round was added to last: most entries follow another of the same call. */
  #lastCall: Call | null = null;
  #lastRound = 0;

  /** Takes the next entry of the visible slice. */
  add(entry: Entry, index: number): void {
    if (isCompletion(entry)) this.#addTo(this.#byCompletedTurn, entry.block.turn_id ?? "", entry, index);
    else if (entry.call === null) return;
    else if (entry.call === this.#lastCall) this.#ends[this.#lastRound] = index;
    else {
      this.#lastCall = entry.call;
      this.#lastRound = this.#addTo(this.#byCall, entry.call, entry, index);
    }
  }

  #addTo<K>(numbers: Map<K, number>, key: K, entry: Entry, index: number): number {
    const known = numbers.get(key);
    if (known !== undefined) {
      this.#ends[known] = index;
      return known;
    }
    const round = this.#ends.length;
    numbers.set(key, round);
    this.#starts.push(index);
    this.#ends.push(index);
    this.#iterations.push(iterationKey(entry));
    return round;
  }

  get count(): number {
    return this.#ends.length;
  }

  startOf(round: number): number | undefined {
    return this.#starts[round];
  }

  /** The earliest of the rounds that came from the same decision as the last one; the last one itself if unknown. */
  get firstOfLastDecision(): number {
    let round = this.count - 1;
    const decision = this.#iterations[round] ?? null;
    if (decision === null) return round;
    while (round > 0 && this.#iterations[round - 1] === decision) round--;
    return round;
  }

  endOf(round: number): number | undefined {
    return this.#ends[round];
  }
}
