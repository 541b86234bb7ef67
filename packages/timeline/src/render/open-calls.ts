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

type ToolOf = (callId: string) => string | null;

const NOTHING: readonly string[] = [];

export class OpenCalls {
  readonly #open = new Map<string, Entry>();

  add(entry: Entry): void {
    if (entry.callId === null) return;
    if (entry.type === "react.tool.call") this.#open.set(entry.callId, entry);
    else if (entry.type === "react.tool.result") this.#open.delete(entry.callId);
  }

  /** Closes the calls that `entry` shows to be lost and gives the text of each. */
  closedBy(entry: Entry, toolOf: ToolOf): readonly string[] {
    if (this.#open.size === 0 || !(isClosing(entry) || isDecision(entry))) return NOTHING;
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

function isClosing({ type }: Entry): boolean {
  return (
    type === "turn.header" ||
    type === "user.prompt" ||
    type === "assistant.completion" ||
    type === "react.completion" ||
    type === "react.exit"
  );
}

function isDecision({ type }: Entry): boolean {
  return type === "react.notes" || type === "react.tool.code" || type === "react.tool.call";
}

function comesAfter(entry: Entry, call: Entry): boolean {
  if (isClosing(entry)) return true;
  if (!isDecision(entry) || entry.callId === call.callId) return false;
  const decision = iterationOf(entry.block);
  const opened = iterationOf(call.block);
  return decision !== null && opened !== null && (decision !== opened || entry.block.turn_id !== call.block.turn_id);
}
