/**
 * Rounds: the unit in which cache checkpoints move.
 *
 * A round is everything one tool call left on the timeline; the completion of a turn is a round of its own. Rounds are
 * numbered from 0 by first appearance. A late result belongs to the round it answers, wherever it stands.
 */
import { iterationOf } from "../block/call.ts";
import type { Entry } from "../state/entry.ts";

const COMPLETION_TYPES = new Set(["assistant.completion", "stage.suggested_followups", "react.exit", "react.state"]);

/** Whether an entry belongs to the completion of its turn. */
export function isCompletion(entry: Entry): boolean {
  return COMPLETION_TYPES.has(entry.block.type);
}

/** The round an entry belongs to, or null when it belongs to none. */
function roundKey(entry: Entry): string | null {
  if (isCompletion(entry)) return `completion ${entry.block.turn_id ?? ""}`;
  return entry.callId === null ? null : `call ${entry.callId}`;
}

function iterationKey(entry: Entry): string | null {
  const iteration = iterationOf(entry.block);
  return iteration === null ? null : `${entry.block.turn_id ?? ""} ${iteration}`;
}

export class Rounds {
  readonly #numbers = new Map<string, number>();
  /** Index, in the visible slice, of the first and the last entry of each round. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #iterations: (string | null)[] = [];

  /** Takes the next entry of the visible slice. */
  add(entry: Entry, index: number): void {
    const key = roundKey(entry);
    if (key === null) return;
    const known = this.#numbers.get(key);
    if (known === undefined) {
      this.#numbers.set(key, this.#ends.length);
      this.#starts.push(index);
      this.#ends.push(index);
      this.#iterations.push(iterationKey(entry));
    } else this.#ends[known] = index;
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
