/** A call that is about to run or waits for a person, and its form in the events of the journal. */
import { type EventBody, type Json, type JsonObject, statedVisibility, type Visibility } from "@cairn/timeline";
import type { Answered } from "../../tool/question.ts";
import type { TurnContext } from "../state/turn-context.ts";

/** A call with everything needed to run it, now or after a restart. */
export interface PlannedCall {
  readonly callId: string;
  readonly toolId: string;
  readonly params: unknown;
  readonly iteration: number;
  /** The highest SID that the model could know; undefined in journals of earlier versions. */
  readonly sourcesKnown?: number | undefined;
  /** Whether the parameters are final, because a rule has accepted them or a person has approved them. */
  readonly isBound?: boolean;
  /** Whether people may see the call, if its tool states a visibility. */
  readonly visibility?: Visibility | null;
  /** The provider's sealed reasoning, stored with the call. */
  readonly reasoning?: JsonObject;
  /** The live stream that shows the text of the call to followers. It ends when the call settles. */
  readonly stream?: string | undefined;
  /** The person's answer to the question of the call. */
  readonly answered?: Answered;
}

/** Whether all calls of the turn have an outcome, or some of them wait for a person. */
export type CallsState = "settled" | "waiting";

export function describeCall(context: TurnContext, call: PlannedCall) {
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

export function visibilityField({ visibility }: PlannedCall): { readonly visibility?: Visibility } {
  return visibility === null || visibility === undefined ? {} : { visibility };
}

export function readCall(body: EventBody<"call.started"> | EventBody<"approval.requested">): PlannedCall {
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

export function timestamp(context: TurnContext): string {
  return new Date(context.now()).toISOString();
}
