/**
 * Continues calls that an earlier process began, or that waited for an approval, for the answer to a question, or for
 * the output of a call that the client ran.
 */
import { type Block, CairnError, type EventBody, type Json } from "@cairn/timeline";
import { consentHash, editedParams, questionHash } from "../../tool/consent.ts";
import { bindCall, type CallRun, failRun, outsideRun, refuseInternal } from "../../tool/run-call.ts";
import { afterTool } from "../hooks/tool-hooks.ts";
import { callNotice } from "../state/notice-block.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { askFor } from "./judge-call.ts";
import { type CallsState, describeCall, type PlannedCall, readCall, timestamp } from "./planned-call.ts";
import { runAndSettle } from "./run-and-settle.ts";
import { cancelled, denied, interrupted, settle, withdrawn } from "./settle-call.ts";
import { toolContext } from "./tool-context.ts";

/** Whether a waiting call can continue: its approval has arrived, or the turn was cancelled. */
export function canResume({ journal }: TurnContext): boolean {
  const { approvalsRequested, approvalsGiven } = journal.timeline.state;
  return journal.isCancelled || [...approvalsRequested.keys()].some((call) => approvalsGiven.has(call));
}

/** Completes calls from before a restart, and calls whose approval has arrived. */
export async function resumeCalls(context: TurnContext): Promise<CallsState> {
  const { journal, registry } = context;
  const { state } = journal.timeline;
  const ready: PlannedCall[] = [];
  let waiting = false;
  for (const started of [...state.unsettled.values()]) {
    const call = readCall(started);
    const asked = state.approvalsRequested.get(call.callId);
    if (asked?.question !== undefined) {
      const next = resumeAsking(context, call, asked);
      if (typeof next === "object") ready.push(next);
      else waiting ||= next === "waiting";
    } else if (registry.find(call.toolId)?.idempotent === true) ready.push(call);
    else settle(context, call, interrupted, "interrupted");
  }
  for (const requested of [...state.approvalsRequested.values()]) {
    if (state.unsettled.has(requested.call_id)) continue;
    const call = readCall(requested);
    const given = state.approvalsGiven.get(requested.call_id);
    if (journal.isCancelled) settle(context, call, cancelled, "error");
    else if (requested.hash !== consentHash(context.key, { ...call, turnId: context.turnId }))
      waiting = (await askAgain(context, call)) || waiting;
    else if (given === undefined) waiting = true;
    else if (!given.approve) settle(context, call, denied(given.reason), "error");
    else if (requested.client === true) {
      const run = await afterTool(context, call, clientRun(given));
      settle(context, call, run.settle, run.outcome);
    } else {
      const approved = approvedCall(context, requested, given);
      if (approved === null) waiting = (await askAgain(context, call)) || waiting;
      else {
        journal.timeline.contribute(approvalNotices(context, approved, given));
        journal.timeline.record("call.started", { ...describeCall(context, approved), ts: timestamp(context) });
        ready.push(approved);
      }
    }
  }
  await journal.commit();
  const states = await Promise.all(ready.map((call) => runAndSettle(context, call)));
  return waiting || states.includes("waiting") ? "waiting" : "settled";
}

/** Resumes a call that asked a question: the call continues with the answer, waits on, or ends. */
function resumeAsking(
  context: TurnContext,
  call: PlannedCall,
  { question, asking, hash, resume = null }: EventBody<"approval.requested">,
): "waiting" | "settled" | PlannedCall {
  const { journal, key, registry, turnId } = context;
  const given = journal.timeline.state.approvalsGiven.get(call.callId);
  const state = resume as Json;
  if (journal.isCancelled) {
    registry.find(call.toolId)?.withdraw?.(state);
    settle(context, call, withdrawn, "error");
  } else if (question === undefined || hash !== questionHash(key, { ...call, turnId, question, asking }))
    settle(context, call, interrupted, "interrupted");
  else if (given === undefined) return "waiting";
  else {
    const action = given.approve ? "accept" : given.dismissed === true ? "cancel" : "decline";
    const said = { accept: "answered", decline: "declined to answer", cancel: "closed the question" }[action];
    const message = `The tool asked the user: ${question.message}\nThe user ${said}.`;
    journal.timeline.contribute([callNotice(context, call, "question_answered", message)]);
    journal.timeline.record("call.started", { ...describeCall(context, call), ts: timestamp(context) });
    return { ...call, answered: { action, content: given.answer ?? {}, state } };
  }
  return "settled";
}

/** Asks again if an earlier request for approval has no valid hash. False if a reference cannot be replaced. */
async function askAgain(context: TurnContext, call: PlannedCall): Promise<boolean> {
  const bound =
    call.isBound === true ? { ...call, internal: null } : await bindCall(call.params, toolContext(context, call));
  const refused = "refused" in bound ? bound.refused : bound.internal === null ? null : refuseInternal(bound.internal);
  if (refused !== null) settle(context, call, refused.settle, "error");
  else if ("params" in bound) askFor(context, { ...call, params: bound.params, isBound: true });
  return refused === null;
}

/** The call with the parameters that the approver agreed to; null if these parameters are not bound to the call. */
function approvedCall(
  { key }: TurnContext,
  requested: EventBody<"approval.requested">,
  given: EventBody<"approval.given">,
): PlannedCall | null {
  try {
    const params = editedParams(key, requested, given);
    return params === null ? readCall(requested) : { ...readCall(requested), params, isBound: true };
  } catch (error) {
    if (CairnError.is(error) && error.code === "approval_invalid") return null;
    throw error;
  }
}

/** The approver's changes and reason, as notices for the model. The block of the call keeps the model's parameters. */
function approvalNotices(context: TurnContext, call: PlannedCall, given: EventBody<"approval.given">): Block[] {
  const { reason, params } = given;
  const said = (code: string, message: string) => callNotice(context, call, code, message);
  return [
    ...(params === undefined
      ? []
      : [
          said(
            "approval_edited",
            `The person who approved this call changed its parameters. It runs with: ${JSON.stringify(params)}`,
          ),
        ]),
    ...(reason === undefined ? [] : [said("approval_reason", `The person who approved this call said: ${reason}`)]),
  ];
}

function clientRun({ output, error }: EventBody<"approval.given">): CallRun {
  if (output !== undefined) return outsideRun(output);
  return failRun("client_error", error ?? "The client sent no output.");
}
