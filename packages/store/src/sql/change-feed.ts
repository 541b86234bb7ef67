/** Tells followers of a conversation that there may be something new. */
export interface ChangeFeed {
  /** Whether `close` was called: the store is closing or closed. */
  readonly isClosed: boolean;
  /** This process has appended to the conversation, or deleted it. */
  notify(conversation: number): void;
  /**
   * Until the conversation has events behind `after` or is gone, the signal aborts or the feed closes; false in the last
   * two cases. It may wake for nothing.
   */
  wait(conversation: number, after: number, signal: AbortSignal | undefined): Promise<boolean>;
  close(): Promise<void> | void;
}
