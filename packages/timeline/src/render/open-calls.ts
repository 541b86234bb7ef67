/**
 * Calls without an outcome.
 *
 * A call that never settled shows an error result, so that no call stays unanswered. A call is lost when a block
 * follows that can only come after it settled: a new turn, a message of the user (a steering message is placed when
 * calls have settled), an answer, or a block of a later decision. A later decision shows as another iteration or, if
 * blocks have no iteration, as the notes of another call. The error is then shown before that block, and stays there
 * even if the outcome arrives later, because shown content never changes. At the end of the timeline the error is shown
 * outside the stable part, because the outcome may still come.
 */
import { iterationOf } from "../block/call.ts";
import { viewInterrupted } from "../kind/result-header.ts";
import type { Call } from "../state/call.ts";
import type { Entry } from "../state/entry.ts";

const NOTHING: readonly Entry[] = [];

export class OpenCalls {
  /** Open calls by their decision; calls of an unknown decision under null. */
  readonly #open = new Map<string | null, Map<Call, Entry>>();
  readonly #decisions = new Map<Call, string | null>();

  add(entry: Entry): void {
    if (entry.call === null) return;
    if (entry.kind.role === "call") {
      const decision = decisionOf(entry);
      const calls = this.#open.get(decision) ?? new Map<Call, Entry>();
      this.#open.set(decision, calls.set(entry.call, entry));
      this.#decisions.set(entry.call, decision);
    } else if (entry.kind.role === "result") this.#settle(entry.call);
  }

  #settle(call: Call): void {
    const decision = this.#decisions.get(call);
    if (decision === undefined) return;
    this.#decisions.delete(call);
    const calls = this.#open.get(decision);
    if (calls?.delete(call) && calls.size === 0) this.#open.delete(decision);
  }

  /** Closes the calls that `entry` proves lost and returns their entries. */
  closedBy(entry: Entry): readonly Entry[] {
    if (this.#open.size === 0) return NOTHING;
    if (entry.kind.closesCalls) return this.#close(() => true);
    if (!entry.kind.isOfDecision) return NOTHING;
    const decision = decisionOf(entry);
    if (decision !== null) return this.#close((opened) => opened !== null && opened !== decision);
    const isNewDecision = entry.kind.role === "notes" && entry.call !== null && !this.#decisions.has(entry.call);
    return isNewDecision ? this.#close((opened) => opened === null) : NOTHING;
  }

  #close(isLost: (decision: string | null) => boolean): Entry[] {
    const lost: Entry[] = [];
    for (const [decision, calls] of this.#open) {
      if (!isLost(decision)) continue;
      for (const [call, entry] of calls) {
        lost.push(entry);
        this.#decisions.delete(call);
      }
      this.#open.delete(decision);
    }
    return lost;
  }

  texts(): string[] {
    return [...this.#open.values()].flatMap((calls) => [...calls.values()].map(viewInterrupted));
  }
}

function decisionOf({ block }: Entry): string | null {
  const iteration = iterationOf(block);
  return iteration === null ? null : `${block.turn_id ?? ""} ${iteration}`;
}
