/**
 * Closes a connection whose other end disappeared without closing it, as after a machine failure or a network cut.
 * Pending queries then fail and are repeated on another connection. Otherwise a connection that graphile-worker returns
 * to its pool in the middle of a query would block all later ones.
 */
import { Socket } from "node:net";
import type { Client } from "pg";

/** After this long without data, the other end is probed. It has the same time to answer. */
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
      // The connection is broken and will be replaced, or it is closing. In both cases nothing needs to be done.
      () => {
        clearTimeout(enough);
        stream.destroy();
      },
    );
  });
}
