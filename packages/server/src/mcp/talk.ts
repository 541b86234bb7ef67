/** One conversation of the caller, as the tools of the MCP server use it. How its turns run depends on the process. */
import type { ConsentAnswer } from "@cairn/agent";
import type { EventBody } from "@cairn/timeline";

export type Approval = EventBody<"approval.requested">;

/** The state of a turn. `waiting` means that a call needs a person; without a turn, nothing runs. */
export interface Followed {
  readonly status: "ended" | "waiting";
  readonly turn: string | null;
}

export interface Talk {
  /** Stores the message and returns the turn that answers it, if it is known yet. */
  readonly send: (message: string) => Promise<string | null>;
  /**
   * Follows a turn until it ends or needs a person; without an id, the current or the last one. Rejects with
   * `client_gone` on `signal`, unless the turn runs here.
   */
  readonly follow: (turn: string | null, onCall: (tool: string) => void, signal: AbortSignal) => Promise<Followed>;
  readonly decide: (approval: Approval, given: Omit<ConsentAnswer, "ts">) => Promise<void>;
  /** Stops the turn. */
  readonly cancel: (turn: string | null) => Promise<void>;
}
