/**
 * Makes connections to PostgreSQL, for the product, the benchmarks and the tests: no other file may make connections
 * (`npm run check`).
 *
 * A connection can be lost at any time: an operator ends it, the server restarts, the network breaks. The driver emits
 * an `error` event then, and an event without a listener ends the process. Every connection of this file always
 * has a listener, and reports its loss once. A query that was running fails as well; a pool replaces the connection.
 */
import pg from "pg";
import { cut, GOODBYE_MS } from "./close-connection.ts";

/** Called when a connection is lost, with the reason. */
export type ConnectionLost = (error: Error) => void;

export interface OpenedPool {
  readonly pool: pg.Pool;
  /** Resolves when every connection is closed. Ends connections that do not answer. */
  readonly end: () => Promise<void>;
}

/** Maximum time `end` waits for queries that are running. */
const ANSWER_MS = 5_000;

export function openPool(config: pg.PoolConfig, onLost: ConnectionLost): OpenedPool {
  const pool = new pg.Pool(config);
  const closed = new Map<pg.Client, Promise<void>>();
  const report = reportOnce((error) => {
    // While the pool closes its connections, the server may end them: that is not a loss.
    if (!pool.ending) onLost(error);
  });
  pool.on("connect", (client) => {
    client.on("error", (error) => report(client, error));
    const end = Promise.withResolvers<void>();
    closed.set(client, end.promise);
    client.once("end", () => {
      closed.delete(client);
      end.resolve();
    });
  });
  // The pool passes on errors of connections that no query uses, or that were never completely opened.
  pool.on("error", (error, client) => report(client, error));
  const cutAll = () => [...closed.keys()].forEach(cut);
  const end = async () => {
    const answered = setTimeout(cutAll, ANSWER_MS);
    await pool.end().finally(() => clearTimeout(answered));
    // `pool.end()` does not wait until its connections are closed.
    const hungUp = setTimeout(cutAll, GOODBYE_MS);
    await Promise.all(closed.values());
    clearTimeout(hungUp);
  };
  return { pool, end };
}

/** A separate connection that is not connected yet. Close it with `closeConnection`. */
export function makeClient(config: pg.ClientConfig, onLost: ConnectionLost): pg.Client {
  const client = new pg.Client(config);
  const report = reportOnce(onLost);
  client.on("error", (error) => report(client, error));
  return client;
}

/** Reports a lost connection as a warning of Node, for programs without a log. */
export function warnOfLoss(error: Error): void {
  process.emitWarning(error.message, { type: "ConnectionLost" });
}

/** 64-bit integers as numbers, not as strings: all numbers of the store are safe integers. */
export const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** Re-exported for code that builds statements: only this file loads the driver. */
export const { escapeLiteral } = pg;

/** The driver may report a lost connection several times: the server's last message, and the closed socket. */
function reportOnce(onLost: ConnectionLost): (client: pg.Client, error: Error) => void {
  const reported = new WeakSet<pg.Client>();
  return (client, error) => {
    if (reported.has(client)) return;
    reported.add(client);
    onLost(error);
  };
}
