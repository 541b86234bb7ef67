/**
 * The files of messages that this page has sent and that may still wait for their turn, by the server's key of the
 * message. When such a message is withdrawn, only files of this browser can return to the composer, although the server
 * has them, too.
 */
const MAX_MESSAGES = 20;
const kept = new Map<string, readonly File[]>();

export function keepWaitingFiles(key: string, files: readonly File[]): void {
  if (files.length === 0) return;
  kept.set(key, files);
  const [oldest] = kept.keys();
  if (kept.size > MAX_MESSAGES && oldest !== undefined) kept.delete(oldest);
}

/** The files of a message; undefined if another page sent the message, or if this page was reloaded since. */
export function waitingFiles(key: string): readonly File[] | undefined {
  return kept.get(key);
}
