/**
 * Ends a connection whose other end vanished without a word: a machine that is gone, or a network that is cut, closes
 * nothing. Whoever asked something is then told that the connection broke, and asks on another one; without it, a
 * connection that graphile-worker gives back to its pool in the middle of a question would keep all later ones waiting.
 */
import { Socket } from "node:net";
import type { Client } from "pg";

/** After so long without a byte the other end is asked whether it is there, and has as long to answer. */
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
      // It broke, and is replaced; or it is ending, and nobody at the other end hears that.
      () => {
        clearTimeout(enough);
        stream.destroy();
      },
    );
  });
}
