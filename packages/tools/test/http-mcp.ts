/** The test server over its two transports: in a child process, and over HTTP. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { makeTestServer } from "./test-server.ts";

const SCRIPT = new URL("./test-server.ts", import.meta.url).pathname;
export const child = (behaviour = "serve") => ({
  command: process.execPath,
  args: ["--no-warnings", SCRIPT, behaviour],
  approval: "never" as const,
});

/** The test server over HTTP. Every client has its own session until `forgetSessions` is called. */
export class HttpMcp {
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  readonly server: Server;
  port = 0;
  /** Answers calls of tools with status 400 and this. */
  refuseCalls = "";

  constructor() {
    this.server = createServer((request, answer) => {
      this.#answer(request, answer).catch((error: Error) => answer.destroy(error));
    });
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((done) => this.server.listen(port, "127.0.0.1", done));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  forgetSessions(): void {
    this.#sessions.clear();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (request.headers.authorization !== "Bearer secret") {
      answer.writeHead(401).end("{}");
      return;
    }
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (typeof id === "string" && known === undefined) {
      const error = { jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null };
      answer.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(error));
      return;
    }
    if (this.refuseCalls !== "" && request.method === "POST") {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { method?: string };
      if (body.method === "tools/call") answer.writeHead(400).end(this.refuseCalls);
      else await (known ?? (await this.#newSession())).handleRequest(request, answer, body);
      return;
    }
    await (known ?? (await this.#newSession())).handleRequest(request, answer);
  }

  async #newSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, transport),
    });
    await makeTestServer().connect(transport as Transport);
    return transport;
  }
}

export const httpConfig = (http: HttpMcp, more = {}) => ({
  url: http.url,
  headers: { authorization: "Bearer secret" },
  allow: "all" as const,
  approval: "never" as const,
  ...more,
});
