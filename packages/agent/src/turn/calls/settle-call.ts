/** The end of a call: writes its results to the timeline, also for calls that were not made or not completed. */
import type { EventBody } from "@cairn/timeline";
import { hideSettings } from "../../definition/agent-memory.ts";
import type { Settlement } from "../../tool/tool.ts";
import { createScribe } from "../../tool/write-scribe.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { type PlannedCall, timestamp } from "./planned-call.ts";

export type Outcome = EventBody<"call.settled">["outcome"];

/** Writes the results of a call and its end in one batch. */
export function settle(context: TurnContext, call: PlannedCall, write: Settlement, outcome: Outcome): void {
  const { timeline } = context.journal;
  const writer: Parameters<typeof createScribe>[0]["timeline"] = {
    contribute: (blocks) => timeline.contribute(blocks),
    mergeSources: (rows) => timeline.mergeSources(rows),
    hide: (request) => {
      const result = timeline.hide({ ...hideSettings(context.agent), ...request });
      const { blocks_hidden: blocks, tokens_hidden: tokens } = result;
      if (blocks > 0) context.progress.declare({ cause: "hide", blocks, tokens });
      return result;
    },
  };
  const { scribe, finish } = createScribe({ timeline: writer, now: context.now, turnId: context.turnId, ...call });
  write(scribe);
  // Some failures occur only while the outcome is written, such as a hide that is rejected.
  const written = finish();
  const settled = outcome === "ok" ? written : outcome;
  timeline.record("call.settled", { call_id: call.callId, outcome: settled, ts: timestamp(context) });
}

export const interrupted: Settlement = (scribe) =>
  scribe.digest({
    error: {
      code: "tool_interrupted",
      message: "The call was interrupted and its outcome is unknown. Check before you call the tool again.",
    },
  });

export function denied(reason: string | undefined): Settlement {
  const message = `The user did not agree to this call${reason === undefined ? "." : ` and said: ${reason}`}`;
  return (scribe) => scribe.digest({ error: { code: "approval_denied", message } });
}

/** The agent lost the tool, or a policy began to refuse it, while the call waited for consent. */
export const unavailable: Settlement = (scribe) =>
  scribe.digest({
    error: { code: "tool_unavailable", message: "The call was not made: the agent may not use this tool any more." },
  });

export const cancelled: Settlement = (scribe) =>
  scribe.digest({ error: { code: "tool_cancelled", message: "The turn was cancelled before the call was made." } });

export const withdrawn: Settlement = (scribe) =>
  scribe.digest({
    error: {
      code: "tool_cancelled",
      message: "The turn was cancelled while the call waited for an answer of the user.",
    },
  });
