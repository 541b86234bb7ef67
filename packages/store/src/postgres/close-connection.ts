/**
 * Closes a connection. A normal close waits for the server to close its side, which a machine that has disappeared
 * never does. After a timeout the socket is destroyed, so that no caller waits for it and it does not keep the process
 * alive.
 */
import type pg from "pg";

/** Maximum time to wait for the server to close its side. */
export const GOODBYE_MS = 1_000;

export async function closeConnection(client: pg.Client): Promise<void> {
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
