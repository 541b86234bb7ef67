/**
 * The port behind which conversations with something to do wait for somebody who runs their turns.
 *
 * What there is to do stands in the journals, as inputs nobody has taken up and turns nobody has closed: the queue is
 * derived from them and loses nothing when a process dies. It only decides who runs what next, and how much may wait.
 */
import type { ConversationKey } from "@cairn/store";
import type { GoingItem, Status } from "../live/live-item.ts";

/** What came of running a conversation: there may be more to do, nothing is left, or a person has to agree first. */
export type RunResult = "ended" | "idle" | "waiting";

/** Runs the next turn of a conversation. The signal stops it where it is, for another life to go on. */
export type RunConversation = (key: ConversationKey, signal: AbortSignal) => Promise<RunResult>;

export interface Standing {
  readonly status: Status;
  /** How many conversations are before it, when it is queued. */
  readonly position?: number;
}

export interface TurnQueue {
  /** Begins to run what waits. */
  start(run: RunConversation): void;
  /** Makes sure there is room for one more before its message is taken; throws `queue_full` or `draining`. */
  admit(key: ConversationKey): Promise<void>;
  /** Says that a conversation has something to do. It is in the journal already. */
  offer(key: ConversationKey): Promise<void>;
  /** What the queue knows of a conversation: `idle` when it neither waits nor runs, as far as it can tell. */
  standing(key: ConversationKey): Promise<Standing>;
  /** Called whenever a conversation's standing changes in this process. */
  onChange(listener: (key: ConversationKey, standing: Standing) => void): void;
  /**
   * Tells other processes on the same store what goes on in a turn here, where it can: how far a tool is, and that the
   * model is waited for. `name` tells the items of a conversation apart; null: it is over.
   */
  share?(key: ConversationKey, name: string, item: GoingItem | null): void;
  /** Called with what others share. */
  onShared?(listener: (key: ConversationKey, item: GoingItem) => void): void;
  /** In this process. */
  readonly running: number;
  /** In this process, or in the cluster it is part of. */
  readonly waiting: number;
  /** Takes nothing more, lets turns end for so long, and stops those that do not. */
  drain(graceMs: number): Promise<void>;
}
