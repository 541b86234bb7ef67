/** The functions of another library that the benchmark needs to store the same conversation. */

/**
 * How LangGraph is told to keep the messages.
 * - `exit`: `durability: "exit"`, documented as the fastest: one checkpoint when a turn ends; a crash loses the turn.
 * - `sync`: `durability: "sync"`, every round durable before the next, as the store's are.
 * - `window`: as `exit`, with old messages removed from the state to fit the window; they are only in older checkpoints.
 * - `delta`: as `sync`, the messages in a `DeltaChannel` (beta): each step writes its own messages only, and a load walks
 *   back over up to 1,000 checkpoints. The whole state written once in 1,000 steps is left out of its figures.
 */
export const CHECKPOINTER_MODES = ["exit", "sync", "window", "delta"] as const;
export type CheckpointerMode = (typeof CHECKPOINTER_MODES)[number];

export interface CheckpointedConversation {
  /** Brings the conversation to this many rounds; this part is not measured. */
  fill(rounds: number): Promise<void>;
  turn(): Promise<void>;
  round(): Promise<void>;
  /** Returns the number of messages, or of writes in the mode `delta`. */
  load(): Promise<number>;
  /** Copies the log of the database back. */
  checkpoint(): void;
  close(): void;
}

export interface CheckpointerExports {
  readonly SqliteCheckpointer: new (dir: string, mode: CheckpointerMode) => CheckpointedConversation;
}
