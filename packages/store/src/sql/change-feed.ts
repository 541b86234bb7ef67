/** Tells followers of a conversation that it may have new events. */
export interface ChangeFeed {
  /** Whether `close` was called: the store is closing or closed. */
  readonly isClosed: boolean;
  /** Called when this process has appended to the conversation or deleted it. */
  notify(conversation: number): void;
  /**
   * Waits until the conversation has events after `after` or is deleted, the signal aborts or the feed closes; returns
   * false in the last two cases. It may wake without a reason.
   */
  wait(conversation: number, after: number, signal: AbortSignal | undefined): Promise<boolean>;
  close(): Promise<void> | void;
}
