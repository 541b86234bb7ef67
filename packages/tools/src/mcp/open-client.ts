/**
 * Connects to an MCP server in the newest way that both sides know.
 *
 * The client first asks for a revision of the protocol without sessions (2026-07-28 and later), then falls back to the
 * handshake of the revisions before. Over HTTP the client falls back once more, to the event stream of the oldest
 * servers. One deadline covers all attempts.
 */
import { addAbortListener } from "node:events";
import {
  type AuthProvider,
  Client,
  type ElicitResult,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import type { McpServerConfig } from "./mcp-config.ts";
import { messageOf } from "./mcp-error.ts";
import { type OpenedTransport, openHttp, openSse, openStdio } from "./mcp-transport.ts";
import { admitTasks, TASKS } from "./tool-task.ts";

export interface OpenedClient {
  readonly client: Client;
  /** Why this side closed the connection, or null. */
  readonly cutBecause: () => string | null;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** The tokens for the server, if it takes any. */
  readonly session: AuthProvider | null;
  /** Called when the server has reported that its tools changed. */
  readonly onListChanged: () => void;
  /** Called when the server asks a question while a call runs. */
  readonly onQuestion: (params: unknown) => Promise<ElicitResult>;
}

const MAX_PAGES = 100;
/** Statuses of a server that does not know streamable HTTP. */
const OLD_HTTP = new Set([400, 404, 405]);

/** Throws an error whose message says why the server cannot be reached. */
export async function openClient(config: McpServerConfig, options: OpenOptions): Promise<OpenedClient> {
  const deadline = AbortSignal.timeout(config.connect_timeout_ms);
  const signal = AbortSignal.any([options.signal, deadline]);
  const attempt = (opened: OpenedTransport, mode: "auto" | "legacy") =>
    connect(opened, mode, config, { ...options, signal });
  try {
    if (!("url" in config))
      return await attempt(openStdio(config), "auto").catch((error: unknown) => {
        // Some servers exit when their first message is not the old handshake, so that is tried next.
        if (signal.aborted || !isClosedByProbe(error)) throw error;
        return attempt(openStdio(config), "legacy");
      });
    return await attempt(openHttp(config, options.session), "auto").catch((error: unknown) => {
      const { cause } = error as Error;
      if (signal.aborted || !(cause instanceof SdkHttpError) || !OLD_HTTP.has(cause.status)) throw error;
      return attempt(openSse(config, options.session), "legacy").catch(() => {
        throw error; // The server supports neither transport. The error of the newer transport is more useful.
      });
    });
  } catch (error) {
    if (deadline.aborted) throw new Error(`It timed out after ${config.connect_timeout_ms} ms.`, { cause: error });
    throw error;
  }
}

async function connect(
  { transport, cutBecause, lastWords }: OpenedTransport,
  mode: "auto" | "legacy",
  config: McpServerConfig,
  { signal, onListChanged, onQuestion }: OpenOptions,
): Promise<OpenedClient> {
  const timeout = config.connect_timeout_ms;
  const client = new Client(
    { name: "cairn", version: "0.1.0" },
    {
      // A process that stays silent supports only the old handshake. Half of the time is left for it.
      versionNegotiation: { mode, probe: { timeoutMs: "url" in config ? timeout : timeout / 2 } },
      capabilities: { elicitation: { form: {}, url: {} }, extensions: { [TASKS]: {} } },
      // The client must not answer by itself: questions are stored, and the call is made again with the answers.
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } },
      // A server's output schemas are neither compiled nor enforced: results are shown as they are.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  admitTasks(transport);
  client.setRequestHandler("elicitation/create", ({ params }) => onQuestion(params));
  // Problems of a connection appear in the errors of its calls. Only a stream that cannot be resumed closes the client:
  // otherwise, the calls of the stream would wait for their timeout.
  client.onerror = ({ message }) => {
    if (message.startsWith("Maximum reconnection attempts")) client.close().catch(() => undefined); // The connection is already broken.
  };
  // The client does not pass a signal to its first question. The attempt fails, whatever closing does.
  using _ = addAbortListener(signal, () => void transport.close().catch(() => undefined));
  try {
    signal.throwIfAborted();
    await client.connect(transport, { timeout, signal });
    return { client, cutBecause };
  } catch (error) {
    await client.close().catch(() => undefined); // The connection was never established.
    const said = lastWords();
    const reason = `${cutBecause() ?? messageOf(error)}${said === "" ? "" : ` (it said: ${said})`}`;
    throw new Error(reason, { cause: error });
  }
}

function isClosedByProbe(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
}
