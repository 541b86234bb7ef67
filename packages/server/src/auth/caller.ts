/** The authenticated caller: their scope, and how they were authenticated. */
import type { Scope } from "@cairn/store";
import { CairnError, type EventBody, type JsonObject } from "@cairn/timeline";
import type { Agents } from "cairn-agent/turns";

export interface Caller {
  readonly scope: Scope;
  /**
   * `machine`: the local user, on a server without tokens. `application`: a caller that the mounting application
   * authenticated.
   */
  readonly via: "machine" | "token" | "oidc" | "application";
  /** The name in logs: the user of a token, or the `sub` of a signed one. */
  readonly subject: string;
  /** Which token was used, by a name that is useless for access; null for a caller without a token. */
  readonly credential: string | null;
  /** Whether the caller operates the server and may see the spending of all users. */
  readonly isOperator: boolean;
  /** Whether the caller may see internal content: what the model saw, the raw timeline, and exports. */
  readonly mayInspect: boolean;
  /** Whether the caller may approve calls. Default: true. */
  readonly mayApprove?: boolean;
  /** The names of the agents that the caller may use. Default: all. */
  readonly agents?: readonly string[];
  /** The application's own data for its tools. Every message of the caller gets this data. */
  readonly context?: JsonObject;
}

/** The agents that the caller may use. */
export function agentsOf(caller: Caller | undefined, agents: Agents): Agents {
  return caller?.agents === undefined ? agents : agents.only(caller.agents);
}

/** Whether the caller may approve the call `asked`. All may answer its question, and run it if the client runs it. */
export function mayApprove(caller: Caller | undefined, asked: EventBody<"approval.requested"> | undefined): boolean {
  return caller?.mayApprove !== false || asked?.client === true || asked?.question !== undefined;
}

/** Throws `forbidden` if the caller may not give this answer. Every caller may refuse, or answer a call's question. */
export function checkMayApprove(
  caller: Caller | undefined,
  asked: EventBody<"approval.requested"> | undefined,
  approve: boolean,
): void {
  if (!approve || mayApprove(caller, asked)) return;
  throw new CairnError("forbidden", "You may not approve this call. Another person must approve it.", {
    call_id: asked?.call_id,
  });
}
