/**
 * `.mcp.json`, in which other programs list MCP servers:
 *
 * ```json
 * { "mcpServers": { "shop": { "url": "https://shop.example/mcp", "headers": { "x-key": "${SHOP_KEY}" } } } }
 * ```
 *
 * `${NAME}` and `${NAME:-default}` are replaced by variables of the environment. Such a file says nothing about which
 * tools an agent may use: it may use all of them, and a person approves every call, unless the entry says otherwise
 * with Cairn's own fields.
 */
import { createHash } from "node:crypto";
import { CairnError } from "@cairn/timeline";
import { z } from "zod";

type Environment = Readonly<Record<string, string | undefined>>;

const entrySchema = z.looseObject({ disabled: z.boolean().optional() });
const fileSchema = z.looseObject({ mcpServers: z.record(z.string(), entrySchema) });

/** Fields of Cairn's own configuration. Other fields, and those of the other kind of server, are ignored. */
const LOCAL = ["command", "args", "env", "cwd"];
const REMOTE = ["url", "headers", "oauth"];
const RULES = ["allow", "approval", "timeout_ms", "connect_timeout_ms"];
/** Cairn's name for each field of `oauth`, by the names that Claude Code and Cairn write. */
const OAUTH: Readonly<Record<string, string>> = {
  clientId: "client_id",
  callbackPort: "redirect_port",
  scopes: "scope",
  client_id: "client_id",
  client_secret: "client_secret",
  issuer: "issuer",
  client_metadata_url: "client_metadata_url",
  scope: "scope",
  redirect_port: "redirect_port",
};
const MAX_NAME = 40;
const HASH_DIGITS = 8;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * The servers as `parseMcpConfig` takes them. Throws `bad_mcp_config`. `place` is the file's name for messages. Without
 * an environment (null), variables stay as they are written.
 */
export function readMcpJson(text: string, env: Environment | null, place: string): Readonly<Record<string, unknown>> {
  const parsed = fileSchema.safeParse(parse(text, place));
  if (!parsed.success) throw bad(place, "it must be an object with `mcpServers`, which maps a name to a server.");
  const servers: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(parsed.data.mcpServers)) {
    if (entry.disabled === true) continue;
    const isRemote = entry.url !== undefined && entry.type !== "stdio";
    const own = pick(entry, isRemote ? REMOTE : LOCAL).map(([field, value]) => [
      field,
      expand(field === "oauth" ? withOwnNames(value) : value, env, `${place}: ${name}`),
    ]);
    servers[freeName(name, servers)] = { allow: "all", ...Object.fromEntries([...own, ...pick(entry, RULES)]) };
  }
  return servers;
}

function pick(entry: Readonly<Record<string, unknown>>, fields: readonly string[]): readonly [string, unknown][] {
  return fields.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]);
}

function withOwnNames(oauth: unknown): unknown {
  if (typeof oauth !== "object" || oauth === null) return oauth;
  return Object.fromEntries(
    Object.entries(oauth).flatMap(([field, value]) => {
      const own = Object.hasOwn(OAUTH, field) ? OAUTH[field] : undefined;
      return own === undefined ? [] : [[own, value]];
    }),
  );
}

/** Makes a valid name. Other programs allow any name in `.mcp.json`. If the name is taken, a hash is added. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_");
  const valid = (/^[A-Za-z]/.test(plain) ? plain : `s_${plain}`).slice(0, MAX_NAME);
  if (!Object.hasOwn(taken, valid)) return valid;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_DIGITS);
  return `${valid.slice(0, MAX_NAME - HASH_DIGITS - 1)}_${hash}`;
}

function expand(value: unknown, env: Environment | null, where: string): unknown {
  if (env === null) return value;
  if (typeof value === "string")
    return value.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
      const found = env[name] ?? fallback;
      if (found === undefined) throw bad(where, `the variable ${name} is not set.`);
      return found;
    });
  if (Array.isArray(value)) return value.map((each) => expand(each, env, where));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each, env, where)]));
}

const COMMENT = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const LAST_COMMA = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

/** Parses a file as editors do: with comments, a comma after the last entry, and a byte order mark. */
function parse(text: string, place: string): unknown {
  const outside = (_: string, string = "") => string;
  try {
    return JSON.parse(
      text
        .replace(/^\uFEFF/, "")
        .replace(COMMENT, outside)
        .replace(LAST_COMMA, outside),
    );
  } catch (error) {
    throw bad(place, `it is not valid JSON (${error instanceof Error ? error.message : error}).`);
  }
}

function bad(place: string, problem: string): CairnError {
  return new CairnError("bad_mcp_config", `${place}: ${problem}`);
}
