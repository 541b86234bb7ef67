/**
 * The interface of the turn queue, where conversations with work wait for a process that runs their turns.
 *
 * The work itself is in the journals, as unprocessed inputs and open turns. So no work is lost when a process dies. The
 * queue only decides which process runs which conversation next, and how many may wait.
 */
import type { ConversationKey } from "@cairn/store";
import type { GoingItem, Status } from "../live/live-item.ts";

/** The result of a run. `ended`: there may be more work; `idle`: there is none; `waiting`: for an approval. */
export type RunResult = "ended" | "idle" | "waiting";

/** Runs the next turn of a conversation. An abort of the signal stops it, so that another process can continue. */
export type RunConversation = (key: ConversationKey, signal: AbortSignal) => Promise<RunResult>;

export interface QueueStatus {
  readonly status: Status;
  /** Number of conversations before this one, if it waits in the queue. */
  readonly position?: number;
}

export interface TurnQueue {
  /** Starts to run waiting conversations. */
  start(run: RunConversation): void;
  /** Checks that there is space before a message is accepted; throws `queue_full` or `draining`. */
  admit(key: ConversationKey): Promise<void>;
  /** Enqueues a conversation whose work is already in the journal. */
  offer(key: ConversationKey): Promise<void>;
  /** The status of a conversation, as the queue knows it. `idle`: it neither waits nor runs. */
  status(key: ConversationKey): Promise<QueueStatus>;
  /** Called when a conversation's status changes in this process. */
  onChange(listener: (key: ConversationKey, status: QueueStatus) => void): void;
  /**
   * Publishes the transient state of a turn here to other processes on the same store, if supported: progress of tools,
   * and waiting for the model. `name` identifies the item within a conversation; null ends it.
   */
  share?(key: ConversationKey, name: string, item: GoingItem | null): void;
  /** The callback gets the state that other processes publish. */
  onShared?(listener: (key: ConversationKey, item: GoingItem) => void): void;
  /** Number of turns that run in this process. */
  readonly running: number;
  /** Number of waiting conversations, in this process or in the whole cluster. */
  readonly waiting: number;
  /** Accepts no more work, waits this long for turns to end, and then stops the remaining ones. */
  drain(graceMs: number): Promise<void>;
}
