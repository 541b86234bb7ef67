/** Node's HTTP server for the app: listens on a port and closes the connections. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { CairnError, errorCode } from "@cairn/timeline";
import { getRequestListener } from "@hono/node-server";
import type { Log } from "cairn-agent/turns";
import { limitPipelining } from "./http/limit-pipelining.ts";
import type { Pace } from "./http/pace.ts";

export interface Listener {
  /** The server's URL, such as `http://127.0.0.1:4310`. */
  readonly address: string;
  readonly port: number;
  /** Accepts no more connections. Open connections continue. */
  readonly refuseNew: () => void;
  /** Waits a moment for responses in progress, and then closes all connections. */
  readonly close: () => Promise<void>;
}

interface ListenOptions {
  readonly host: string;
  /** The port; 0 chooses a free one. */
  readonly port: number;
  readonly pace: Pace;
  readonly log: Log;
}

const LAST_WORDS_MS = 1_000;
const MAX_REQUEST_MS = 24 * 3_600_000;

/** Throws `bad_setting` when the address cannot be used. */
export async function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  { host, port, pace, log }: ListenOptions,
): Promise<Listener> {
  const server = createServer(
    {
      // The time limit is for headers, which are small. Bodies have a minimum speed instead.
      headersTimeout: pace.graceMs,
      requestTimeout: MAX_REQUEST_MS,
      keepAliveTimeout: 10_000,
      connectionsCheckingInterval: pace.graceMs / 4,
    },
    limitPipelining(getRequestListener(fetch)),
  );
  await begin(server, port, host);
  // Accepting a connection may fail, for example with too many open files. The server continues with the others.
  server.on("error", (error) => log.error("A connection could not be accepted.", error));
  const taken = portOf(server);
  return {
    address: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    port: taken,
    refuseNew: () => server.close(),
    close: () => closeServer(server),
  };
}

async function begin(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = errorCode(error);
    if (code === "EADDRINUSE")
      throw new CairnError("bad_setting", `Port ${port} of ${host} is already in use. Set CAIRN_PORT to another port.`);
    if (code === "EADDRNOTAVAIL" || code === "EACCES" || code === "ENOTFOUND")
      throw new CairnError("bad_setting", `The server cannot listen on ${host}:${port}: ${code}.`);
    throw error;
  }
}

async function closeServer(server: Server): Promise<void> {
  for (const deadline = Date.now() + LAST_WORDS_MS; Date.now() < deadline; ) {
    server.closeIdleConnections();
    if (server.listening || (await connectionsOf(server)) === 0) break;
    await wait(20);
  }
  server.closeAllConnections();
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error === null ? count : 0)));
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
