/**
 * Quarantines a turn that crashes the processes that run it. Each attempt at a turn is recorded in the journal before
 * it begins. When three processes in a row died without adding anything to the timeline, the turn is closed as failed,
 * so that the conversation can continue. An operator may release the turn, which sends its message again.
 */
import type { TimelineState } from "@cairn/timeline";
import { type NextTurn, openUnread } from "../input/take-inputs.ts";
import type { TurnJournal } from "../state/turn-journal.ts";
import { completionBlock, type TurnEnd } from "./finish-turn.ts";

const MAX_DEATHS = 3;

/** Whether the turn has crashed the maximum number of processes. Attempts of this process do not count as crashes. */
export function hasKilled({ attempts }: TimelineState, turnId: string, life: string): boolean {
  if (attempts?.turn_id !== turnId) return false;
  const { by } = attempts;
  return (by.at(-1) === life ? by.length - 1 : by.length) >= MAX_DEATHS;
}

/** Closes the turn as failed. Its content is not read, because it may have caused the crashes. */
export async function quarantineTurn(journal: TurnJournal, next: NextTurn, now: number): Promise<TurnEnd> {
  const { turnId, input } = next;
  const { timeline } = journal;
  const { state } = timeline;
  if (input !== null) openUnread(journal, next, input);
  const ts = new Date(now).toISOString();
  for (const call_id of new Set([...state.unsettled.keys(), ...state.approvalsRequested.keys()]))
    timeline.record("call.settled", { call_id, outcome: "interrupted", ts });
  hideUnsent(journal, turnId);
  const message = `The process that worked on this message died ${MAX_DEATHS} times in a row.`;
  const text = `I could not answer this. ${message} The message is kept in quarantine, where an operator can release it. You can go on with other messages.`;
  const error = { code: "quarantined", message };
  timeline.contribute([
    completionBlock(turnId, text),
    {
      turn_id: turnId,
      type: "react.exit",
      mime: "application/json",
      text: JSON.stringify({ exit: "quarantined", error }),
    },
  ]);
  timeline.closeTurn("quarantined");
  await journal.commit(journal.openStreams);
  return { exit: "quarantined", text, error };
}

/** Hides blocks that no model has seen yet, because a later request with them might crash the process again. */
function hideUnsent({ timeline }: TurnJournal, turnId: string): void {
  const { state } = timeline;
  const sent = state.sentPosition ?? 0;
  const positions = state
    .turnEntries(turnId)
    .filter(({ position, kind, overlay }) => position >= sent && kind.role !== "turn" && overlay === null)
    .map(({ position }) => position);
  const [anchor] = positions;
  if (anchor === undefined) return;
  const replacement = "QUARANTINED: a message whose processing failed repeatedly. Its content is not shown.";
  timeline.record("blocks.pruned", { by: "policy", groups: [{ positions, anchor, replacement }] });
}
