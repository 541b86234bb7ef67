/**
 * A free port for a server that is stopped and started again. The port is below the range for outgoing connections,
 * because a port of that range may be taken while the server is down. Another process may still take the port before it
 * is used: the caller must be ready to retry.
 */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Linux uses ports from 32,768 on, other systems from 49,152 on. */
const [MIN_PORT, MAX_PORT] = [12_000, 32_000];
const TRIES = 100;

export async function freePort(): Promise<number> {
  for (let nth = 0; nth < TRIES; nth++) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${MIN_PORT} to ${MAX_PORT} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
