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
import { CairnError } from "@cairn/timeline";
import { z } from "zod";

type Environment = Readonly<Record<string, string | undefined>>;

const entrySchema = z.looseObject({ disabled: z.boolean().optional() });
const fileSchema = z.looseObject({ mcpServers: z.record(z.string(), entrySchema) });

/** Fields of Cairn's own configuration. Others, such as `type`, are ignored. */
const OWN = ["command", "args", "env", "cwd", "url", "headers", "oauth"];
const RULES = ["allow", "approval", "timeout_ms", "connect_timeout_ms"];
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The servers as `parseMcpConfig` takes them. Throws `bad_mcp_config`. `place` is the file's name for messages. */
export function readMcpJson(text: string, env: Environment, place: string): Readonly<Record<string, unknown>> {
  const parsed = fileSchema.safeParse(parse(text, place));
  if (!parsed.success) throw bad(place, "it must be an object with `mcpServers`, which maps a name to a server.");
  const servers: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(parsed.data.mcpServers)) {
    if (entry.disabled === true) continue;
    const own = OWN.filter((field) => entry[field] !== undefined).map((field) => [
      field,
      expand(entry[field], env, `${place}: ${name}`),
    ]);
    const rules = RULES.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]);
    servers[nameOf(name)] = { allow: "all", ...Object.fromEntries([...own, ...rules]) };
  }
  return servers;
}

/** Makes a valid name. Other programs allow any name in `.mcp.json`. */
function nameOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 40);
  return /^[A-Za-z]/.test(plain) ? plain : `s_${plain}`.slice(0, 40);
}

function expand(value: unknown, env: Environment, where: string): unknown {
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

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(place, `it is not valid JSON (${error instanceof Error ? error.message : error}).`);
  }
}

function bad(place: string, problem: string): CairnError {
  return new CairnError("bad_mcp_config", `${place}: ${problem}`);
}
