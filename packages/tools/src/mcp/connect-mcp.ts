/**
 * The tools of configured MCP servers, for an agent.
 *
 * An agent finds its tools when a turn starts: in the order of the configuration, by name within a server, and the same
 * until the turn ends. A server that has changed its list, that was down, or at which the user has logged in since,
 * offers its new tools to the next turn. A server that cannot be reached does not affect the others.
 */
import type { AnyTool, FollowLink } from "@cairn/agent";
import { followResource } from "./follow-resource.ts";
import type { Owner, Secrets } from "./kept-login.ts";
import { type McpConfig, parseMcpConfig } from "./mcp-config.ts";
import { McpServer, type McpStatus } from "./mcp-server.ts";

export interface McpTools {
  /** The tools that the servers offered when they were connected. */
  readonly tools: readonly AnyTool[];
  /** Problems of the servers, one sentence each: a server that cannot be reached, an allowed tool that is missing. */
  readonly problems: readonly string[];
  /** The current tools for a user, with the user's logins: `findTools` of an agent. */
  readonly findTools: (owner: Owner, signal: AbortSignal) => Promise<readonly AnyTool[]>;
  /** Reads links that a tool of a server returned: for `reactTools`. */
  readonly followLink: FollowLink;
  /** The servers as people see and use them, in the order of the configuration. */
  readonly servers: readonly PeoplesServer[];
  status(): readonly McpStatus[];
  /** Closes every connection and ends every started process. */
  close(): Promise<void>;
}

/** A server as people use it: they log in, and choose prompts. */
export type PeoplesServer = Pick<
  McpServer,
  "name" | "stateFor" | "beginLogin" | "finishLogin" | "logOut" | "prompts" | "prompt"
>;

export interface ConnectOptions {
  readonly signal?: AbortSignal;
  /** Where the logins of users are kept. Without this storage, servers that require a login cannot be used. */
  readonly secrets?: Secrets;
  /** The user who connects, if there is only one. */
  readonly owner?: Owner;
}

/** Throws `bad_mcp_config` for an invalid configuration. */
export async function connectMcp(config: McpConfig, options: ConnectOptions = {}): Promise<McpTools> {
  const { signal = new AbortController().signal, secrets = null, owner = null } = options;
  const servers = [...parseMcpConfig(config)].map(([name, server]) => new McpServer(name, server, secrets));
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const find = async (whose: Owner | null, until: AbortSignal) =>
    await Promise.all(servers.map((server) => server.offer(whose, until)));
  try {
    const offers = await find(owner, signal);
    return {
      tools: offers.flatMap(({ tools }) => tools),
      problems: offers.flatMap(({ problems }) => problems),
      findTools: async (whose, until) => (await find(whose, until)).flatMap(({ tools }) => tools),
      followLink: (row, context) => followResource(servers, row, context),
      servers,
      status: () => servers.map((server) => server.status()),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
