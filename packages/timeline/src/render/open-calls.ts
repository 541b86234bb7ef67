/**
 * Calls without an outcome.
 *
 * A call that never settled shows an error result, so that no call stands unanswered. When is a call known to be
 * lost? When something follows that can only come after it settled: a new turn, a message of the user, an answer, or
 * a block of a later decision. The error then stands before that block, and stays there even if the outcome turns up
 * after all: what was shown once is never taken back. At the end of the timeline the error is shown outside the
 * stable part, for the outcome may still come.
 */
import { iterationOf } from "../block/call.ts";
import type { Entry } from "../state/entry.ts";
import { viewInterrupted } from "./tool-view.ts";

const CLOSING_TYPES = new Set(["turn.header", "user.prompt", "assistant.completion", "react.completion", "react.exit"]);
const DECISION_TYPES = new Set(["react.notes", "react.tool.code", "react.tool.call"]);

type ToolOf = (callId: string) => string | null;

export class OpenCalls {
  readonly #open = new Map<string, Entry>();

  add(entry: Entry): void {
    if (entry.callId === null) return;
    if (entry.block.type === "react.tool.call") this.#open.set(entry.callId, entry);
    else if (entry.block.type === "react.tool.result") this.#open.delete(entry.callId);
  }

  /** Closes the calls that `entry` shows to be lost and gives the text of each. */
  closedBy(entry: Entry, toolOf: ToolOf): string[] {
    if (this.#open.size === 0) return [];
    const texts: string[] = [];
    for (const [callId, call] of this.#open) {
      if (!comesAfter(entry, call)) continue;
      texts.push(viewInterrupted(callId, toolOf(callId)));
      this.#open.delete(callId);
    }
    return texts;
  }

  texts(toolOf: ToolOf): string[] {
    return [...this.#open.keys()].map((callId) => viewInterrupted(callId, toolOf(callId)));
  }
}

function comesAfter(entry: Entry, call: Entry): boolean {
  if (CLOSING_TYPES.has(entry.block.type)) return true;
  if (!DECISION_TYPES.has(entry.block.type) || entry.callId === call.callId) return false;
  const decision = iterationOf(entry.block);
  const opened = iterationOf(call.block);
  return decision !== null && opened !== null && (decision !== opened || entry.block.turn_id !== call.block.turn_id);
}
