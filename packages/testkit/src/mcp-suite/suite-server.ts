/**
 * The server under test: `/mcp` of the product, mounted in an application that adds what the suite calls. Everything but
 * these additions is the product's: the HTTP endpoint, the sessions, the protocol, and the agent's own tools.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createHandler, toNode } from "@cairn/server/handler";
import type { McpServer } from "@modelcontextprotocol/server";
import { agent, createCairn } from "cairn-agent";
import { addSuiteParts } from "./suite-parts.ts";

/**
 * The server delays requests, because the suite sends them faster than one user may: `REQUEST_MS` for each request,
 * after a burst of `BURST_MS`.
 */
const REQUEST_MS = 60;
const BURST_MS = 2_500;

export interface SuiteServer extends AsyncDisposable {
  readonly url: string;
}

export async function openSuiteServer(): Promise<SuiteServer> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-mcp-server-"));
  const cairn = await createCairn({ agents: [agent({ name: "a", instructions: "Help." })], store: folder });
  const handler = createHandler(cairn, {
    // The only user is identified by the host, because the suite runs on the user's own machine.
    authenticate: ({ url }) => (new URL(url).hostname === "127.0.0.1" ? { tenant: "suite", user: "me" } : null),
    extendMcp: (server: McpServer, states) => addSuiteParts(server, states),
  });
  const answer = toNode(handler);
  let paidAt = 0;
  const server = createServer((request, response) => {
    const now = performance.now();
    paidAt = Math.max(paidAt, now) + REQUEST_MS;
    void wait(Math.max(0, paidAt - now - BURST_MS)).then(() => answer(request, response));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  // The first request loads the protocol. Some scenarios do not wait that long.
  const first = { jsonrpc: "2.0", id: 1, method: "ping" };
  await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(first) });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await cairn.close();
      await rm(folder, { recursive: true });
    },
  };
}
