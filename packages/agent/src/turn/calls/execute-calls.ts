/**
 * Runs the calls of a decision, from their blocks on the timeline to their outcomes.
 *
 * A call block and the start of its call are one batch; all results of a call and its end are another. Calls of one
 * decision run at the same time and settle in the order they finish. A call that needs approval waits while no turn
 * runs; a call interrupted by a crash is settled as interrupted, or run again if its tool is idempotent.
 */
import {
  type Block,
  CairnError,
  type EventBody,
  extractCitations,
  type Json,
  type JsonObject,
  statedVisibility,
  type Visibility,
} from "@cairn/timeline";
import { hideSettings } from "../../definition/agent-memory.ts";
import type { DecidedCall } from "../../protocol/decision.ts";
import { knownField, tellApart } from "../../react/cited-sources.ts";
import { isRef } from "../../tool/bind-refs.ts";
import { checkParams } from "../../tool/check-params.ts";
import { consentHash, editedParams, grantHash, questionHash } from "../../tool/consent.ts";
import { type Answered, Asking } from "../../tool/question.ts";
import {
  type BoundCall,
  bindCall,
  type CallRun,
  failRun,
  outsideRun,
  refuseInternal,
  runCall,
} from "../../tool/run-call.ts";
import { sourcesSeen } from "../../tool/sources-seen.ts";
import type { Settlement, Tool } from "../../tool/tool.ts";
import { traitsField } from "../../tool/tool-traits.ts";
import { createScribe } from "../../tool/write-scribe.ts";
import { afterTool, beforeTool, type CheckedCall } from "../hooks/tool-hooks.ts";
import { reasoningOfCall } from "../state/kept-reasoning.ts";
import { callNotice } from "../state/notice-block.ts";
import { thinkingBlocks } from "../state/thinking-block.ts";
import type { TurnContext } from "../state/turn-context.ts";
import type { LiveDecision } from "../state/turn-progress.ts";
import { planProgress } from "./acknowledge-plan.ts";
import { toolContext } from "./tool-context.ts";

/** A call with everything needed to run it, now or after a restart. */
interface PlannedCall {
  readonly callId: string;
  readonly toolId: string;
  readonly params: unknown;
  readonly iteration: number;
  /** The highest SID that the model could know; undefined if not recorded. */
  readonly sourcesKnown?: number | undefined;
  /** Whether the parameters are final: judged by a rule or approved by a person. */
  readonly isBound?: boolean;
  /** Whether people may see it, if its tool states that. */
  readonly visibility?: Visibility | null;
  /** The provider's sealed reasoning, stored with the call. */
  readonly reasoning?: JsonObject;
  /** The live stream that shows the text of the call to followers. It ends when the call settles. */
  readonly stream?: string | undefined;
  /** The person's answer to the question of the call. */
  readonly answered?: Answered;
}

/** Whether every call of the turn has its outcome, or some wait for a person. */
export type CallsState = "settled" | "waiting";

/** Writes a decision's calls to the timeline and runs them. */
export async function executeCalls(
  context: TurnContext,
  notes: string,
  calls: readonly DecidedCall[],
  { streams, callIds }: Pick<LiveDecision, "callIds"> & { readonly streams: LiveDecision["ofCalls"] },
): Promise<CallsState> {
  const { journal, registry, progress } = context;
  const iteration = progress.spent.iterations;
  const reasoned = progress.takeReasoned();
  const decided = calls.map(({ number, toolId, params }, at) => ({
    number,
    callId: callIds.get(number) ?? context.ids.call(),
    toolId,
    params,
    iteration,
    sourcesKnown: progress.sourcesKnown,
    reasoning: reasoningOfCall(reasoned, number, calls[at - 1]?.number ?? null),
  }));
  const checked = await Promise.all(
    decided.map(async ({ number, ...asked }) => {
      const hooked = await beforeTool(context, asked, toolContext(context, asked));
      return { number, asked, ...hooked };
    }),
  );
  const judged = new Map<PlannedCall, Judged & Pick<CheckedCall, "notices">>();
  for (const { number, asked, params, bound, isChanged, refused, notices } of checked) {
    const stream = registry.find(asked.toolId)?.streams?.kind === "write" ? streams.get(number) : undefined;
    const hooked = { ...asked, params };
    const call = {
      ...hooked,
      stream: isChanged ? undefined : stream,
      visibility: await visibilityOf(context, hooked),
    };
    judged.set(call, {
      ...(refused === null ? await judge(context, call, bound) : { policy: refused, bound: call }),
      notices,
    });
  }
  const [first] = judged.keys();
  const isInternal = [...judged.keys()].some(({ visibility }) => visibility === "internal");
  journal.timeline.contribute(thinkingBlocks(context, first?.callId ?? null, isInternal));
  if (first !== undefined && notes !== "")
    journal.timeline.contribute([notesBlock(context, first, notes), ...planProgress(context, notes, first.callId)]);
  const ready: PlannedCall[] = [];
  let waiting = false;
  for (const [call, { policy, bound, notices }] of judged) {
    journal.timeline.contribute([...codeBlocks(context, call), callBlock(context, call), ...notices]);
    if (policy === "ask") askFor(context, bound);
    else journal.timeline.record("call.started", { ...describeCall(context, bound), ts: timestamp(context) });
    if (policy === "ask") waiting = true;
    else if (policy === "allow") ready.push(bound);
    else settle(context, call, policy.settle, "error");
  }
  const writing = new Set(ready.flatMap(({ stream }) => stream ?? []));
  await journal.commit(journal.openStreams.filter((stream) => !writing.has(stream)));
  const states = await Promise.all(ready.map((call) => runAndSettle(context, call)));
  return waiting || states.includes("waiting") ? "waiting" : "settled";
}

async function visibilityOf(context: TurnContext, call: PlannedCall): Promise<Visibility | null> {
  const tool = context.registry.find(call.toolId);
  try {
    return (await tool?.visibility?.(call.params, toolContext(context, call))) ?? null;
  } catch {
    // Its parameters are wrong, or what they name cannot be found: the call itself says so.
    return "internal";
  }
}

interface Judged {
  /** Or the outcome of a call that does not run. */
  readonly policy: "ask" | "allow" | Pick<CallRun, "settle">;
  /** The call as it will run, with references replaced by their values. */
  readonly bound: PlannedCall;
}

/**
 * Decides whether a call runs, needs approval or ends at once. References are bound first, so the parameters that are
 * judged are those that run. `known`: they were bound before, for a hook.
 */
async function judge(context: TurnContext, call: PlannedCall, known: BoundCall | null): Promise<Judged> {
  const { journal, key, registry } = context;
  const tool = registry.find(call.toolId);
  const isClient = isOfClient(tool);
  const mayAsk = tool !== undefined && (isClient || registry.mayAsk(tool));
  if (known === null && !mayAsk) return { policy: "allow", bound: call };
  const read = known ?? (await bindCall(call.params, toolContext(context, call)));
  if ("refused" in read) return { policy: read.refused, bound: call };
  const bound = { ...call, params: read.params, isBound: true };
  if (!mayAsk) return { policy: "allow", bound };
  const checked = isClient ? checkParams(tool, bound.params) : null;
  if (checked?.ok === false) return { policy: failRun("bad_params", checked.message), bound };
  const isGranted = journal.timeline.state.grants.has(grantHash(key, tool.id));
  if (!isClient && (isGranted || !registry.asks(tool, bound.params))) return { policy: "allow", bound };
  return { policy: read.internal === null ? "ask" : refuseInternal(read.internal), bound };
}

/** Asks a person to approve exactly these parameters, with their hash. */
function askFor(context: TurnContext, call: PlannedCall): void {
  const hash = consentHash(context.key, { ...call, turnId: context.turnId });
  context.journal.timeline.record("approval.requested", {
    ...describeCall(context, call),
    ts: timestamp(context),
    hash,
    ...(isOfClient(context.registry.find(call.toolId)) ? { client: true as const } : {}),
  });
}

function isOfClient(tool: Tool | undefined): boolean {
  return tool?.traits?.client === true;
}

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

/** A call that asked a question continues with the answer, waits for it, or ends. */
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

/** Asks again when an earlier request has no valid hash. Returns false when a reference cannot be bound. */
async function askAgain(context: TurnContext, call: PlannedCall): Promise<boolean> {
  const bound =
    call.isBound === true ? { ...call, internal: null } : await bindCall(call.params, toolContext(context, call));
  const refused = "refused" in bound ? bound.refused : bound.internal === null ? null : refuseInternal(bound.internal);
  if (refused !== null) settle(context, call, refused.settle, "error");
  else if ("params" in bound) askFor(context, { ...call, params: bound.params, isBound: true });
  return refused === null;
}

/** The call with the parameters that the approver agreed to; null if they are not bound to it. */
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

/** The approver's changes and reason, as notices for the model. The call is on the timeline as the model made it. */
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

async function runAndSettle(context: TurnContext, call: PlannedCall): Promise<CallsState> {
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
  // Each answer appends a block, so no two questions of a call are asked at the same position.
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

type Outcome = EventBody<"call.settled">["outcome"];

/** Writes the results of a call and its end in one batch. */
function settle(context: TurnContext, call: PlannedCall, write: Settlement, outcome: Outcome): void {
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
  // Some failures only occur while the outcome is written, such as a rejected hide.
  const written = finish();
  const settled = outcome === "ok" ? written : outcome;
  timeline.record("call.settled", { call_id: call.callId, outcome: settled, ts: timestamp(context) });
}

const interrupted: Settlement = (scribe) =>
  scribe.digest({
    error: {
      code: "tool_interrupted",
      message: "The call was interrupted and its outcome is unknown. Check before you call the tool again.",
    },
  });

function denied(reason: string | undefined): Settlement {
  const message = `The user did not agree to this call${reason === undefined ? "." : ` and said: ${reason}`}`;
  return (scribe) => scribe.digest({ error: { code: "approval_denied", message } });
}

/** The agent lost the tool, or a policy began to refuse it, while the call waited for consent. */
const unavailable: Settlement = (scribe) =>
  scribe.digest({
    error: { code: "tool_unavailable", message: "The call was not made: the agent may not use this tool any more." },
  });

const cancelled: Settlement = (scribe) =>
  scribe.digest({ error: { code: "tool_cancelled", message: "The turn was cancelled before the call was made." } });

const withdrawn: Settlement = (scribe) =>
  scribe.digest({
    error: {
      code: "tool_cancelled",
      message: "The turn was cancelled while the call waited for an answer of the user.",
    },
  });

function notesBlock(context: TurnContext, call: PlannedCall, text: string): Block {
  const path = `ar:${context.turnId}.react.notes.${call.callId}`;
  const seen = sourcesSeen(context.journal.timeline.state.pool, call.sourcesKnown);
  const cited = tellApart(extractCitations(text, "markdown"), seen);
  const meta = {
    tool_call_id: call.callId,
    iteration: call.iteration,
    channel: "timeline_text",
    ...knownField(cited, seen),
  };
  return { type: "react.notes", author: "react", turn_id: context.turnId, path, mime: "text/markdown", text, meta };
}

/** The code of a call, readable by its own path. */
function codeBlocks({ registry, turnId }: TurnContext, { callId, iteration, params, toolId }: PlannedCall): Block[] {
  const { streams } = registry.find(toolId) ?? {};
  if (streams?.kind !== "code" || typeof params !== "object" || params === null) return [];
  const text = (params as Readonly<Record<string, unknown>>)[streams.param];
  if (typeof text !== "string" || text === "" || isRef(text)) return [];
  const path = `fi:${turnId}.code.${callId}`;
  const meta = { tool_call_id: callId, iteration };
  return [{ type: "react.tool.code", author: "react", turn_id: turnId, path, mime: "text/plain", text, meta }];
}

function callBlock(context: TurnContext, call: PlannedCall): Block {
  const { turnId, registry } = context;
  const tool = registry.find(call.toolId);
  const params = tool?.shownParams?.(call.params, { turnId, callId: call.callId }) ?? call.params;
  const text = JSON.stringify({ tool_id: call.toolId, tool_call_id: call.callId, params, ts: timestamp(context) });
  const path = `tc:${turnId}.${call.callId}.call`;
  const meta = {
    tool_call_id: call.callId,
    iteration: call.iteration,
    ...visibilityField(call),
    ...traitsField(tool?.traits, call.params),
    ...cutField(tool?.cutParams?.(call.params, { turnId, callId: call.callId })),
    ...call.reasoning,
  };
  return { type: "react.tool.call", author: "react", turn_id: turnId, path, mime: "application/json", text, meta };
}

/** Parameters that are too long for the call block, each with the path where its text is stored. */
function cutField(cut_params: Readonly<Record<string, string>> = {}): JsonObject {
  return Object.keys(cut_params).length === 0 ? {} : { cut_params };
}

function describeCall(context: TurnContext, call: PlannedCall) {
  const { callId, toolId, iteration, sourcesKnown } = call;
  return {
    turn_id: context.turnId,
    call_id: callId,
    tool_id: toolId,
    params: call.params as Json,
    iteration,
    ...(sourcesKnown === undefined ? {} : { sources_known: sourcesKnown }),
    ...(call.isBound === true ? { bound: true } : {}),
    ...visibilityField(call),
  };
}

function visibilityField({ visibility }: PlannedCall): { readonly visibility?: Visibility } {
  return visibility === null || visibility === undefined ? {} : { visibility };
}

function readCall(body: EventBody<"call.started"> | EventBody<"approval.requested">): PlannedCall {
  return {
    callId: body.call_id,
    toolId: typeof body.tool_id === "string" ? body.tool_id : "",
    params: body.params,
    iteration: typeof body.iteration === "number" ? body.iteration : 0,
    sourcesKnown: typeof body.sources_known === "number" ? body.sources_known : undefined,
    ...(body.bound === true ? { isBound: true } : {}),
    visibility: statedVisibility(body as JsonObject),
  };
}

function timestamp(context: TurnContext): string {
  return new Date(context.now()).toISOString();
}
