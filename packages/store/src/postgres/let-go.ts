/**
 * Ends connections for good. Whoever says goodbye waits for the other end to hang up, which a machine that vanished
 * never does: after a moment the line is cut from this side, so that nobody waits for it and it keeps no process.
 */
import type pg from "pg";

/** For the other end to hang up. */
const GOODBYE_MS = 1_000;
/** For what was asked to be answered. */
const ANSWER_MS = 5_000;

export async function letGo(client: pg.Client): Promise<void> {
  const enough = setTimeout(() => cut(client), GOODBYE_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(enough);
  }
}

/** Call it before the pool has connections; what it gives ends the pool and all of them. */
export function endOf(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.Client>();
  const cutAll = () => open.forEach(cut);
  pool.on("connect", (client) => {
    open.add(client);
    client.once("end", () => open.delete(client));
  });
  return async () => {
    const enough = setTimeout(cutAll, ANSWER_MS);
    try {
      await pool.end();
    } finally {
      clearTimeout(enough);
      // The pool does not wait for those it says goodbye to.
      setTimeout(cutAll, GOODBYE_MS).unref();
    }
  };
}

function cut(client: pg.Client): void {
  client.connection.stream.destroy();
}
