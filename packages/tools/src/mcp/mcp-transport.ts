/** The transport to an MCP server: a child process with its standard streams, or HTTP. */
import { CairnError } from "@cairn/timeline";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { boundedFetch } from "./bounded-fetch.ts";
import { countLines } from "./counted-lines.ts";
import type { McpServerConfig } from "./mcp-config.ts";

export interface OpenedTransport {
  readonly transport: Transport;
  /** Why this side closed the transport, or null. */
  readonly cutBecause: () => string | null;
  /** The end of the server's standard error, for the message when it fails. */
  readonly lastWords: () => string;
}

const MAX_WORDS = 500;
/** Maximum bytes of a line. The client copies its buffer with every chunk, so more would take long. */
const MAX_BYTES = 10 * 1024 * 1024;

export function openTransport(config: McpServerConfig): OpenedTransport {
  if ("url" in config) {
    const transport = new StreamableHTTPClientTransport(new URL(config.url), {
      requestInit: { headers: config.headers },
      fetch: boundedFetch(),
    });
    // The class declares its session id as possibly undefined, the interface as possibly absent; both mean the same.
    return { transport: transport as Transport, cutBecause: () => null, lastWords: () => "" };
  }
  const { command, args, env, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args,
    env,
    stderr: "pipe",
    maxBufferSize: MAX_BYTES,
    ...(cwd === undefined ? {} : { cwd }),
  });
  countLines(transport, MAX_BYTES);
  let cut: string | null = null;
  // The connecting code adds a handler to this one. For a line that is too long, the client only calls this and ends
  // the server.
  transport.onerror = (error) => {
    if (error.message.includes("exceeded maximum size")) cut ??= `sent a message larger than ${MAX_BYTES} bytes.`;
    else if (CairnError.is(error)) cut ??= `sent a message that is too large: ${error.message}`;
  };
  let words = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    words = `${words}${chunk.toString("utf8")}`.slice(-MAX_WORDS);
  });
  return { transport, cutBecause: () => cut, lastWords: () => words.replace(/[\u0000-\u001f\u007f]+/g, " ").trim() };
}
