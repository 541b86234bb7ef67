/**
 * Rounds: the unit in which cache checkpoints move.
 *
 * A round is everything one tool call left on the timeline; the completion of a turn is a round of its own. Rounds are
 * numbered from 0 by first appearance. A late result belongs to the round it answers, wherever it stands.
 */
import type { Entry } from "../state/entry.ts";

const COMPLETION_TYPES = new Set(["assistant.completion", "stage.suggested_followups", "react.exit", "react.state"]);

/** The round an entry belongs to, or null when it belongs to none. */
function roundKey(entry: Entry): string | null {
  if (COMPLETION_TYPES.has(entry.block.type)) return `completion ${entry.block.turn_id ?? ""}`;
  return entry.callId === null ? null : `call ${entry.callId}`;
}

export class Rounds {
  readonly #numbers = new Map<string, number>();
  /** Index, in the visible slice, of the last entry of each round. */
  readonly #ends: number[] = [];

  /** Takes the next entry of the visible slice. */
  add(entry: Entry, index: number): void {
    const key = roundKey(entry);
    if (key === null) return;
    const known = this.#numbers.get(key);
    if (known === undefined) {
      this.#numbers.set(key, this.#ends.length);
      this.#ends.push(index);
    } else this.#ends[known] = index;
  }

  get count(): number {
    return this.#ends.length;
  }

  endOf(round: number): number | undefined {
    return this.#ends[round];
  }
}
