/** Runs a call and writes its outcome. A tool may ask a person a question instead; the call then waits. */
import { questionHash } from "../../tool/consent.ts";
import { Asking } from "../../tool/question.ts";
import { runCall } from "../../tool/run-call.ts";
import type { Settlement } from "../../tool/tool.ts";
import { afterTool } from "../hooks/tool-hooks.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { type CallsState, describeCall, type PlannedCall, timestamp } from "./planned-call.ts";
import { type Outcome, settle, unavailable } from "./settle-call.ts";
import { toolContext } from "./tool-context.ts";

export async function runAndSettle(context: TurnContext, call: PlannedCall): Promise<CallsState> {
  const tool = context.registry.find(call.toolId);
  if (tool === undefined) return settleNow(context, call, unavailable, "error");
  const answered = call.answered === undefined ? {} : { answered: call.answered };
  const run = await runCall(tool, call.params, { ...toolContext(context, call), ...answered }, call.isBound);
  if (run instanceof Asking) return ask(context, call, run);
  const { settle: write, outcome } = await afterTool(context, call, run);
  context.journal.signal.throwIfAborted();
  return settleNow(context, call, write, outcome);
}

async function settleNow(
  context: TurnContext,
  call: PlannedCall,
  write: Settlement,
  outcome: Outcome,
): Promise<CallsState> {
  settle(context, call, write, outcome);
  await context.journal.commit(call.stream === undefined ? [] : [call.stream]);
  return "settled";
}

/** Asks a person the question of a running call. */
async function ask(context: TurnContext, call: PlannedCall, { question, state }: Asking): Promise<CallsState> {
  const { journal, key, turnId } = context;
  const { params: _, ...described } = describeCall(context, call);
  // Each answer to a question appends a block, so each question of a call has another position.
  const asking = journal.timeline.state.nextPosition;
  const hash = questionHash(key, { ...call, turnId, question, asking });
  journal.timeline.record("approval.requested", {
    ...described,
    ts: timestamp(context),
    hash,
    question,
    asking,
    resume: state,
  });
  await journal.commit();
  return "waiting";
}
