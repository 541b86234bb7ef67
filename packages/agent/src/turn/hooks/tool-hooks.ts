/** Runs the hooks of calls and applies the changes that they return. */
import { type Block, isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import { restoreRefs } from "../../tool/bind-refs.ts";
import { type BoundCall, bindCall, type CallRun, failRun, resultRun } from "../../tool/run-call.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { callNotice } from "../state/notice-block.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { runHook } from "./run-hook.ts";
import { noticesOf } from "./turn-hooks.ts";

interface Call {
  readonly callId: string;
  readonly toolId: string;
  readonly params: unknown;
  readonly iteration: number;
}

export interface CheckedCall {
  /** The parameters that the timeline shows, with references instead of their content. */
  readonly params: unknown;
  /** The parameters with which the call runs; null if their references are still to be replaced. */
  readonly bound: BoundCall | null;
  readonly isChanged: boolean;
  /** The outcome of the call if it is not made. */
  readonly refused: CallRun | null;
  /** Notices that are stored with the call. */
  readonly notices: readonly Block[];
}

/**
 * Asks the hook about a call that nobody has approved yet. References are replaced before the hook runs and not read
 * again, so that the call runs with the content that the hook checked. `lookup` finds the content.
 */
export async function beforeTool(context: TurnContext, call: Call, lookup: ToolContext): Promise<CheckedCall> {
  const { callId, toolId, params } = call;
  const { hooks } = context.agent;
  const untouched = { params, bound: null, isChanged: false, refused: null, notices: [] };
  if (hooks?.beforeTool === undefined && hooks?.afterTool === undefined) return untouched;
  const bound = await bindCall(params, lookup);
  if ("refused" in bound) return { ...untouched, refused: bound.refused };
  const effect = await runHook(context, "beforeTool", { call: callId, tool: toolId, params: objectOf(bound.params) });
  const notices = noticesOf(effect).map(([code, message]) => callNotice(context, call, code, message));
  const as = { params, bound, isChanged: false, notices };
  if (effect.failed !== undefined) return { ...as, refused: failRun("hook_failed", NOT_MADE) };
  if (effect.refuse !== undefined) return { ...as, refused: failRun("hook_refused", effect.refuse) };
  if (effect.params === undefined) return { ...as, refused: null };
  // Content that the hook left unchanged is shown as a reference again. It is not read a second time.
  const shown = restoreRefs(effect.params, bound.refs);
  const length = JSON.stringify(shown).length;
  if (length > MAX_PARAMS_LENGTH)
    return {
      ...as,
      refused: failRun("hook_failed", `${NOT_MADE} Its parameters became ${length} characters long.`),
    };
  const checked = context.registry.check(toolId, shown);
  if ("code" in checked) return { ...as, refused: failRun("hook_failed", `${NOT_MADE} ${checked.message}`) };
  const changed = callNotice(context, call, "hook_changed_params", CHANGED);
  const rebound = await bindCall(shown, lookup, bound.refs);
  const outcome = "refused" in rebound ? { bound: null, ...rebound } : { bound: rebound, refused: null };
  return { params: shown, isChanged: true, notices: [changed, ...notices], ...outcome };
}

/** Maximum length of a hook's parameters as JSON, the same as of a result, because they are stored in one event. */
const MAX_PARAMS_LENGTH = 4_000_000;
const NOT_MADE = "The call was not made: the application could not check it.";
const CHANGED = "The application changed the parameters of this call. It is made as shown here.";

/** Asks the hook about the result of a call that was made. */
export async function afterTool(context: TurnContext, call: Call, run: CallRun): Promise<CallRun> {
  const { callId, toolId, params } = call;
  const made = { call: callId, tool: toolId, params: objectOf(params), result: run.returned ?? null };
  const effect = await runHook(context, "afterTool", made);
  const outcome = outcomeOf(run, effect);
  const notices = noticesOf(effect);
  if (notices.length === 0) return outcome;
  return {
    ...outcome,
    settle: (scribe) => {
      for (const [code, message] of notices) scribe.notice(code, message);
      outcome.settle(scribe);
    },
  };
}

function outcomeOf(run: CallRun, { failed, refuse, result }: Awaited<ReturnType<typeof runHook>>): CallRun {
  if (failed !== undefined) return failRun("hook_failed", WITHHELD);
  if (refuse !== undefined) return failRun("hook_refused", refuse);
  // The result cannot be replaced: a tool that writes its result itself may also have written files and sources.
  return result === undefined || run.returned === undefined ? run : resultRun(result as Json);
}

const WITHHELD = "The call was made, but the application could not check its result, so it is withheld.";

function objectOf(params: unknown): JsonObject {
  return isJsonObject(params) ? params : {};
}
