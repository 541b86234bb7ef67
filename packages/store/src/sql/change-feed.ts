/** Tells followers of a conversation that it may have new events. */
export interface ChangeFeed {
  readonly isClosed: boolean;
  /** Called when this process has appended to the conversation or deleted it. */
  notify(conversation: number): void;
  /** Waits for events after `after` or a deletion; false when the signal aborts or the feed closes. May wake early. */
  wait(conversation: number, after: number, signal: AbortSignal | undefined): Promise<boolean>;
  close(): Promise<void> | void;
}
