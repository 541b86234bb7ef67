/** The callers of a mounted handler, which the application authenticates. */
import { checkScope } from "@cairn/store";
import { CairnError, isJsonObject, type JsonObject } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import type { FindCaller } from "./find-caller.ts";

/** The user whose conversations a request may use, and the request's permissions. */
export interface Access {
  readonly tenant: string;
  /** The caller's project. Default: `default`, as in `cairn.conversation`. */
  readonly project?: string;
  readonly user: string;
  /** Whether the caller may see internal content: what the model saw, the raw timeline, and exports. Default: false. */
  readonly inspect?: boolean;
  /**
   * Whether the caller may approve calls in their conversations. Default: true. With false, another person approves.
   * The caller may still refuse calls, answer questions, and run the application's client tools.
   */
  readonly approve?: boolean;
  /**
   * The names of the agents that the caller may use; the first one in the order of `createCairn` is the default. If the
   * list is absent, the caller may choose any agent of `createCairn`, even for a message in an existing conversation.
   */
  readonly agents?: readonly string[];
  /** Data for the application's tools. It is stored with each message, so it must contain no secrets. */
  readonly context?: JsonObject;
}

/** `env` is the second argument of `fetch`. On Node it has the request of the framework: `env.incoming`. */
export type Authenticate<E> = (request: Request, env: E) => Access | null | Promise<Access | null>;

export function applicationCallers<E>(authenticate: Authenticate<E>): FindCaller {
  return async (request, env) => {
    // The cast relies on the application, which declares the type of `env` of its platform.
    const access = await authenticate(request, (env ?? {}) as E);
    if (access === null || access === undefined) throw new CairnError("unauthorized", "You are not signed in.");
    const { tenant, project = LOCAL_SCOPE.project, user, inspect = false, approve = true, agents, context } = access;
    const scope = { tenant, project, user };
    checkScope(scope);
    // The application made a mistake, so the log contains this sentence, and the client gets no details.
    if (context !== undefined && !isJsonObject(context))
      throw new TypeError("The `context` that `authenticate` returned must be an object.");
    if (agents !== undefined && !(Array.isArray(agents) && agents.every((name) => typeof name === "string")))
      throw new TypeError("The `agents` that `authenticate` returned must be a list of names.");
    const limits = agents === undefined ? {} : { agents };
    const rights = { isOperator: false, mayInspect: inspect === true, mayApprove: approve === true };
    const known = { scope, via: "application", subject: user, credential: null } as const;
    return { ...known, ...rights, ...limits, ...(context === undefined ? {} : { context }) };
  };
}
