/**
 * Closes a connection whose other end disappeared without closing it, for example when a machine or the network fails.
 * Its pending queries then fail and are repeated on another connection. Without this, a connection that graphile-worker
 * returns to its pool in the middle of a query would block all later queries.
 */
import { Socket } from "node:net";
import type { Client } from "pg";

/** The other end is probed after this long without data, and must answer within the same time. */
export function endWhenSilent(client: Client, silenceMs: number): void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return;
  let isAsking = false;
  stream.setTimeout(silenceMs);
  stream.on("timeout", () => {
    if (isAsking) return;
    isAsking = true;
    const enough = setTimeout(() => stream.destroy(), silenceMs);
    client.query("SELECT 1").then(
      () => {
        isAsking = false;
        clearTimeout(enough);
      },
      // The connection is broken and will be replaced, or it is already closing.
      () => {
        clearTimeout(enough);
        stream.destroy();
      },
    );
  });
}
