/**
 * The files of messages that this page has sent and that may still wait for their turn, by the key that the server gave
 * the message. The server has the files too, but only the browser's own can return to the composer when such a message
 * is withdrawn.
 */
const MAX_MESSAGES = 20;
const kept = new Map<string, readonly File[]>();

export function keepWaitingFiles(key: string, files: readonly File[]): void {
  if (files.length === 0) return;
  kept.set(key, files);
  const [oldest] = kept.keys();
  if (kept.size > MAX_MESSAGES && oldest !== undefined) kept.delete(oldest);
}

/** Undefined if another page has sent the message, or this one before it was loaded again. */
export function waitingFiles(key: string): readonly File[] | undefined {
  return kept.get(key);
}
