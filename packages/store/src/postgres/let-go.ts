/**
 * Ends a connection for good. Whoever says goodbye waits for the other end to hang up, which a machine that vanished
 * never does: after a moment the line is cut from this side, so that nobody waits for it and it keeps no process.
 */
import type pg from "pg";

/** For the other end to hang up. */
export const GOODBYE_MS = 1_000;

export async function letGo(client: pg.Client): Promise<void> {
  const enough = setTimeout(() => cut(client), GOODBYE_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(enough);
  }
}

export function cut(client: pg.Client): void {
  client.connection.stream.destroy();
}
