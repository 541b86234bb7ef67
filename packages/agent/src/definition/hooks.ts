/**
 * Hooks of an agent: the application's own code before and after a turn, a request and a call of a tool.
 *
 * A hook may return changes, or nothing. The journal stores each change in one batch with the turn, request or call it
 * belongs to, so a process that continues the turn does not run the hook again. After a crash, a hook may run again if
 * its result was not stored yet.
 */
import type { Json, JsonObject, ToolError } from "@cairn/timeline";
import type { ModelUsage } from "../model/model.ts";
import type { Caller } from "./caller.ts";

export interface AgentHooks {
  /** Runs once for each turn, before its first request. `refuse` is the text with which the turn then ends. */
  readonly beforeTurn?: Hook<Caller, Refusal>;
  /** Runs before the end of a turn is stored. `refuse` becomes the answer, and the answer is marked as an error. */
  readonly afterTurn?: Hook<EndedTurn, Refusal>;
  /**
   * Runs before each decision of the model. The hook can only add text: `notice` is appended to the request, so the
   * cached part stays as it is. `refuse` ends the turn.
   */
  readonly beforeRequest?: Hook<NextDecision, Refusal>;
  /** Runs after each answer of the model. `refuse` discards the answer: the model gets the reason and answers again. */
  readonly afterRequest?: Hook<AnsweredRequest, Refusal>;
  /**
   * Runs before each call, and before a person is asked to approve the call. References in `params` are already
   * replaced by the content that the tool gets. `params` replaces the parameters; `refuse` ends the call as failed. A
   * call whose hook fails is not made.
   */
  readonly beforeTool?: Hook<HookedCall, Refusal & { readonly params?: JsonObject }>;
  /**
   * Runs after each call, before the result is stored. `result` replaces the result; `refuse` withholds the result and
   * tells the model why. If the hook fails, the result is withheld.
   */
  readonly afterTool?: Hook<MadeCall, Refusal & { readonly result?: Json }>;
  /** Time that one run of a hook may take, in milliseconds; default ten seconds. */
  readonly timeoutMs?: number;
}

/** A function of the application. It gets the input of its hook and returns a change, or nothing. */
export type Hook<I, E> = (input: I & HookContext) => E | undefined | Promise<E | undefined> | Promise<void>;

export interface HookContext extends Caller {
  /** Aborts when the turn is stopped or the hook exceeds its time limit. */
  readonly signal: AbortSignal;
}

/** The change that every hook may return. */
export interface Refusal {
  /** The reason for a refusal, which the model reads. */
  readonly refuse?: string;
  /** A text that is added to the conversation for the model. */
  readonly notice?: string;
}

/** The input of `beforeRequest`. */
export interface NextDecision {
  readonly model: string;
  /** Number of decisions that the turn has made so far. */
  readonly decisions: number;
}

/** The input of `afterRequest`. */
export interface AnsweredRequest extends NextDecision {
  readonly text: string;
  /** The calls of the decision. `params` are as the model wrote them. */
  readonly calls: readonly { readonly tool: string; readonly params: string }[];
  readonly usage: ModelUsage;
}

/** The input of `beforeTool`. */
export interface HookedCall {
  /** Id of the call. */
  readonly call: string;
  /** Id of the tool. */
  readonly tool: string;
  readonly params: JsonObject;
}

/** The input of `afterTool`. */
export interface MadeCall extends HookedCall {
  /** The result; null for a tool that writes its result itself, such as `react.read`, which a hook can only refuse. */
  readonly result: { readonly output: Json; readonly error: ToolError | null } | null;
}

/** The input of `afterTurn`. */
export interface EndedTurn {
  /** How the turn ended, such as `complete` or `cancelled`. */
  readonly exit: string;
  readonly text: string;
  readonly output?: Json;
}
