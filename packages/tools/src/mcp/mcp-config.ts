/**
 * The configuration of MCP servers and of the tools that an agent may use. The order of the servers is the order of
 * their tools.
 *
 * ```ts
 * const mcp = await connectMcp({
 *   files: { command: "npx", args: ["-y", "some-mcp-server"], allow: ["read_file", "list_directory"] },
 *   shop: { url: "https://shop.example/mcp", headers: { authorization: `Bearer ${key}` }, allow: "all", approval: "always" },
 * });
 * ```
 */
import { CairnError } from "@cairn/timeline";
import { z } from "zod";

const common = {
  /** Names of the allowed tools, or all that the server offers. */
  allow: z.union([z.literal("all"), z.array(z.string().min(1)).min(1)]),
  /** Whether a person must approve a call. `unless_read_only`: not for tools that the server declares read-only. */
  approval: z.enum(["always", "unless_read_only", "never"]).default("always"),
  /** Timeout of one call; reported progress restarts it, up to ten times as long. */
  timeout_ms: z.number().int().min(100).max(3_600_000).default(60_000),
  connect_timeout_ms: z.number().int().min(100).max(600_000).default(20_000),
};

const stdio = z.strictObject({
  ...common,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** The environment of the server besides PATH, HOME and similar; nothing else of this process's environment. */
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
});

const http = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  /** How a user logs in. Without it, Cairn registers itself with the authorization server. */
  oauth: z
    .strictObject({
      /** Id of an OAuth client that was registered beforehand. */
      client_id: z.string().min(1).optional(),
      client_secret: z.string().min(1).optional(),
      /** The authorization server that knows this client. The client's secret is sent to no other server. */
      issuer: z.url().optional(),
      /** The address of a document that describes the client, for servers that take it as the client's id. */
      client_metadata_url: z.url({ protocol: /^https$/ }).optional(),
      /** Scopes to request instead of those that the server names. */
      scope: z.string().min(1).optional(),
      /** The port on this machine for the redirect of `cairn mcp login` (default: any free port). */
      redirect_port: z.number().int().min(1).max(65_535).optional(),
    })
    .optional(),
});

const server = z.union([stdio, http]);
const SERVER_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

export type McpServerConfig = z.output<typeof server>;
export type StdioConfig = z.output<typeof stdio>;
export type HttpConfig = z.output<typeof http>;
/** The configuration of MCP servers, by name. */
export type McpConfig = Readonly<Record<string, z.input<typeof server>>>;

/** Throws `bad_mcp_config`, naming the server and the problem. */
export function parseMcpConfig(config: unknown): ReadonlyMap<string, McpServerConfig> {
  if (typeof config !== "object" || config === null || Array.isArray(config))
    throw badConfig("`mcp` must be an object that maps a name to a server's configuration.");
  const servers = new Map<string, McpServerConfig>();
  for (const [name, given] of Object.entries(config)) {
    if (!SERVER_NAME.test(name))
      throw badConfig(
        `${JSON.stringify(name.slice(0, 60))} is not a valid name for an MCP server. Use a letter, then letters, digits, _ and -.`,
      );
    const isHttp = typeof given === "object" && given !== null && "url" in given;
    const parsed = (isHttp ? http : stdio).safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw badConfig(`MCP server ${name}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
    }
    servers.set(name, parsed.data);
  }
  return servers;
}

function badConfig(message: string): CairnError {
  return new CairnError("bad_mcp_config", message);
}
