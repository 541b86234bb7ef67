/** Serves a standard-streams MCP server over streamable HTTP: each message is passed on unchanged. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** One child process for each session. */
export class StdioOverHttp {
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  readonly #children: StdioClientTransport[] = [];
  readonly #server = createServer((request, answer) => {
    const known = this.#sessions.get(String(request.headers["mcp-session-id"]));
    (known ?? this.#begin()).handleRequest(request, answer).catch((error: Error) => answer.destroy(error));
  });
  readonly #params: StdioServerParameters;

  constructor(params: StdioServerParameters) {
    this.#params = params;
  }

  /** Starts the bridge and returns its address. */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    for (const child of this.#children) await child.close();
  }

  #begin(): StreamableHTTPServerTransport {
    const http = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        this.#sessions.set(id, http);
        const child = new StdioClientTransport(this.#params);
        this.#children.push(child);
        const fail = (error: Error) => http.onerror?.(error);
        child.onmessage = (message) => void http.send(message).catch(fail);
        http.onmessage = (message) => void child.send(message).catch(fail);
        await child.start();
      },
    });
    return http;
  }
}
