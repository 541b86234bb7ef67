/**
 * A port nobody listens on now, for a server that is stopped and started again: below those the system gives to whoever
 * connects somewhere, as one of them may be taken while the server is away. Somebody else may still take it before it is
 * used: whoever asks must be ready to try again.
 */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Linux gives those from 32,768 on, others from 49,152 on. */
const [LEAST, MOST] = [12_000, 32_000];
const TRIES = 100;

export async function freePort(): Promise<number> {
  for (let nth = 0; nth < TRIES; nth++) {
    const port = randomInt(LEAST, MOST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${LEAST} to ${MOST} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
