/** The parts of a run that report a change of its turn. */
import type { ApprovalView } from "@cairn/timeline";
import { roundPart } from "./round-part.ts";
import type { Approval, ApprovalPart, ClientToolPart, NoticePart, RunPart } from "./run-part.ts";
import type { TurnChange } from "./turn-changes.ts";

type PlainPart = Exclude<RunPart, ApprovalPart | ClientToolPart>;

/** `ask` makes the part for a call that waits for approval. */
export function runParts<A>(change: TurnChange, ask: (approval: Approval) => A): readonly (PlainPart | A)[] {
  switch (change.type) {
    case "text":
      return change.text === "" ? [] : [{ type: change.kind, id: change.id, text: change.text }];
    case "texts_withdrawn":
      return change.ids.map((id) => notice("text_withdrawn", "The model is asked again. Discard its text so far.", id));
    case "round": {
      const { status, started_at } = change.round;
      return status === "waiting_approval" || started_at === null ? [] : [roundPart(change.round, change.notices)];
    }
    case "approval":
      return [ask(approvalOf(change.approval))];
    case "source":
    case "plan":
    case "file":
      return [change];
    case "notice":
      return [notice(change.notice.code, change.notice.message, change.notice.call_id)];
    case "progress":
      return [notice("progress", change.text, change.call_id)];
    case "waiting":
      return [notice("model_waiting", change.reason)];
    case "compacting":
      return [notice("compaction", "The conversation no longer fits the model's window and is being summarised.")];
    case "text_ended":
    case "call_input":
    case "call":
    case "input":
    case "closed":
    case "withdrawn":
    case "status":
    case "heartbeat":
      return [];
  }
}

function notice(code: string, message: string, id: string | null = null): NoticePart {
  return { type: "notice", code, message, id };
}

export function approvalOf(view: ApprovalView): Approval {
  const { call_id: id, tool_id: tool, params: input, hash, turn_id: turn, question, client = false } = view;
  return { id, tool, input, hash, turn, client, ...(question === undefined ? {} : { question }) };
}
