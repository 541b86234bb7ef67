/** The wire to an MCP server: a child process by its standard streams, or HTTP. */
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundedFetch } from "./bounded-fetch.ts";
import type { McpServerConfig } from "./mcp-config.ts";

export interface OpenedTransport {
  readonly transport: Transport;
  /** The last the server wrote to its standard error, for the message when it fails. */
  readonly lastWords: () => string;
}

const MOST_WORDS = 500;

export function openTransport(config: McpServerConfig): OpenedTransport {
  if ("url" in config) {
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
      fetch: boundedFetch(),
    });
    // The class declares its session id as possibly undefined, the interface as possibly absent; both mean the same.
    return { transport: transport as Transport, lastWords: () => "" };
  }
  const { command, args, env, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args,
    env,
    stderr: "pipe",
    ...(cwd === undefined ? {} : { cwd }),
  });
  let words = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = `${words}${chunk.toString("utf8")}`.slice(-MOST_WORDS);
  });
  return { transport, lastWords: () => words.replace(/[\u0000-\u001f\u007f]+/g, " ").trim() };
}
