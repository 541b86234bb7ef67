/** The built web app and its API below a path of another application, whose users have a session. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandler, toNode } from "@cairn/server/handler";
import { buildApp } from "@cairn/web/build";
import { type Agent, agent, createCairn } from "cairn-agent";

export interface MountedApp extends AsyncDisposable {
  /** URL of the web app's first page. */
  readonly address: string;
}

/** `mcp`: the MCP servers of the agent. Every path outside the prefix is the application's own, and answers with 404. */
export async function startMountedApp(prefix: string, mcp: Agent["mcp"] = {}): Promise<MountedApp> {
  const store = await mkdtemp(join(tmpdir(), "cairn-mounted-"));
  const cairn = await createCairn({ agents: [agent({ name: "helper", instructions: "You help.", mcp })], store });
  const webFolder = await buildApp();
  const authenticate = () => ({ tenant: "acme", user: "ada", inspect: true });
  const listener = toNode(createHandler(cairn, { authenticate, prefix, webFolder }));
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith(`${prefix}/`) === true) void listener(incoming, outgoing);
    else outgoing.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${prefix}/`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await cairn.close();
      await rm(store, { recursive: true, force: true });
    },
  };
}
