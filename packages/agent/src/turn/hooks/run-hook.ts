/** Runs a hook of the agent. Never throws: if a hook throws, takes too long or returns an invalid value, it failed. */
import { CairnError, isJsonObject, type JsonObject } from "@cairn/timeline";
import type { AgentHooks, HookContext } from "../../definition/hooks.ts";
import { unlessAborted } from "../../process/unless-aborted.ts";
import { MAX_PARAMS_DEPTH, nestingOf } from "../../protocol/nesting.ts";
import { clipMessage, toolFailure } from "../../tool/tool-failure.ts";
import type { TurnContext } from "../state/turn-context.ts";

const TIMEOUT_MS = 10_000;

type HookName = Exclude<keyof AgentHooks, "timeoutMs">;
type HookInput<N extends HookName> = Omit<Parameters<NonNullable<AgentHooks[N]>>[0], keyof HookContext>;

/** The result of a hook, as JSON. Empty when the agent has no such hook. */
export interface HookEffect {
  readonly refuse?: string;
  readonly notice?: string;
  readonly params?: JsonObject;
  /** The value that the hook returned, if any. */
  readonly result?: unknown;
  /** Why the hook failed. */
  readonly failed?: string;
}

export async function runHook<N extends HookName>(
  { agent, caller, journal }: TurnContext,
  name: N,
  input: HookInput<N>,
): Promise<HookEffect> {
  const hook = agent.hooks?.[name] as ((input: unknown) => unknown) | undefined;
  if (hook === undefined) return {};
  const limit = agent.hooks?.timeoutMs ?? TIMEOUT_MS;
  const timeUp = new AbortController();
  const late = new CairnError("hook_timeout", `it took longer than ${limit / 1000} s.`);
  const timer = setTimeout(() => timeUp.abort(late), limit);
  // The hook for the end of a turn also runs if the turn was cancelled.
  const signal = AbortSignal.any([name === "afterTurn" ? journal.signal : journal.workSignal, timeUp.signal]);
  try {
    const run = async () => hook({ ...frozenCopy({ ...caller, ...input }), signal });
    return readEffect(name, await unlessAborted(run(), signal));
  } catch (error) {
    // A hook that was aborted throws its own error, which is ignored.
    const stopped = signal.aborted ? new CairnError("hook_stopped", "the turn was stopped.") : error;
    const cause = timeUp.signal.aborted ? late : stopped;
    return { failed: `The hook ${name} failed: ${clipMessage(toolFailure(cause).message)}` };
  } finally {
    clearTimeout(timer);
  }
}

/** A hook that changes its input object fails, because the journal would not have the change. */
function frozenCopy<T>(value: T): T {
  const freeze = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    Object.freeze(each);
    for (const inner of Object.values(each)) freeze(inner);
  };
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
}

/** The fields that a hook may return besides `refuse` and `notice`. */
const CHANGES: Readonly<Partial<Record<HookName, string>>> = { beforeTool: "params", afterTool: "result" };

/**
 * Converts the result to JSON, as it will be stored. Throws for anything that is not JSON, and for an unknown field,
 * because it may be a misspelt refusal.
 */
function readEffect(name: HookName, returned: unknown): HookEffect {
  if (returned === undefined || returned === null) return {};
  const json: unknown = JSON.parse(JSON.stringify(returned));
  if (!isJsonObject(json)) throw new CairnError("bad_hook", "it returned something other than an object.");
  const known = ["refuse", "notice", CHANGES[name]];
  const unknown = Object.keys(json).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new CairnError("bad_hook", `it returned the unknown field \`${unknown}\`.`);
  const { refuse, notice, params, result } = json;
  for (const text of [refuse, notice])
    if (text !== undefined && typeof text !== "string")
      throw new CairnError("bad_hook", "`refuse` and `notice` must be strings.");
  if (params !== undefined && !isJsonObject(params)) throw new CairnError("bad_hook", "`params` must be an object.");
  if (params !== undefined && nestingOf(JSON.stringify(params)) > MAX_PARAMS_DEPTH)
    throw new CairnError("bad_hook", `\`params\` may be nested at most ${MAX_PARAMS_DEPTH} levels deep.`);
  return {
    ...(typeof refuse === "string" ? { refuse: clipMessage(refuse) } : {}),
    ...(typeof notice === "string" && notice !== "" ? { notice: clipMessage(notice) } : {}),
    ...(isJsonObject(params) ? { params } : {}),
    ...(result === undefined ? {} : { result }),
  };
}
