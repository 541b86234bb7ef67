/** A conversation of the caller, for the tools of the MCP server. A command or the server's queue runs its turns. */
import type { ConsentAnswer } from "@cairn/agent";
import type { EventBody } from "@cairn/timeline";

export type Approval = EventBody<"approval.requested">;

/** The state of a turn. `waiting`: a call needs a person. */
interface Followed {
  readonly status: "ended" | "waiting";
  readonly turn: string | null;
}

export interface Talk {
  /** Stores the message and returns the turn that answers it, if it is known yet. */
  readonly send: (message: string) => Promise<string | null>;
  /**
   * Follows a turn until it ends or needs a person. Without an id, this is the current or the last turn. Rejects with
   * `client_gone` when `signal` aborts, unless the turn runs in this process.
   */
  readonly follow: (turn: string | null, onCall: (tool: string) => void, signal: AbortSignal) => Promise<Followed>;
  readonly decide: (approval: Approval, given: Omit<ConsentAnswer, "ts">) => Promise<void>;
  /** Stops the turn. */
  readonly cancel: (turn: string | null) => Promise<void>;
}
