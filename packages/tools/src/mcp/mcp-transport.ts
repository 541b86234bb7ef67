/** The transports to an MCP server: a child process with its standard streams, or HTTP. */
import { CairnError } from "@cairn/timeline";
import {
  type AuthProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { boundedFetch } from "./bounded-fetch.ts";
import { BoundedStdio } from "./bounded-stdio.ts";
import type { HttpConfig, StdioConfig } from "./mcp-config.ts";

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

export function openStdio({ command, args, env, cwd }: StdioConfig): OpenedTransport {
  const transport = new BoundedStdio({
    command,
    args,
    env,
    stderr: "pipe",
    maxBufferSize: MAX_BYTES,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let cut: string | null = null;
  // The connecting code adds a handler to this one. For a line that is too long, the client calls only this handler.
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

export function openHttp(config: HttpConfig, session: AuthProvider | null): OpenedTransport {
  return overHttp(new StreamableHTTPClientTransport(new URL(config.url), optionsOf(config, session)));
}

/** The transport of servers from before 2025-03-26: one event stream for all answers. */
export function openSse(config: HttpConfig, session: AuthProvider | null): OpenedTransport {
  return overHttp(new SSEClientTransport(new URL(config.url), optionsOf(config, session)));
}

function optionsOf({ headers }: HttpConfig, session: AuthProvider | null) {
  return {
    requestInit: { headers },
    fetch: boundedFetch(),
    onInsufficientScope: "throw" as const,
    ...(session === null ? {} : { authProvider: session }),
  };
}

function overHttp(transport: Transport): OpenedTransport {
  return { transport, cutBecause: () => null, lastWords: () => "" };
}
