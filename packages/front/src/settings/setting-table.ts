/**
 * Every setting: its key in the configuration file, its variable, its default and what it means. The settings are read
 * with this table, and `docs/configuration.md` is generated from it, so both always agree.
 */
import { MODEL_PROVIDERS } from "@cairn/agent";

const NAMES = ["offline", ...MODEL_PROVIDERS.map(({ name }) => `${name}:<id>`)].map((name) => `\`${name}\``);
const MODEL_NAMES = `${NAMES.slice(0, -1).join(", ")} or ${NAMES.at(-1)}`;

interface SettingBase {
  /** Key in `cairn.config.json` and `cairn.config.ts`. */
  readonly key: string;
  /** Environment variable, which overrides the file; null if there is none. */
  readonly variable: string | null;
  readonly about: string;
}

export interface CountSetting extends SettingBase {
  readonly kind: "count";
  readonly key:
    | ("port" | "concurrency" | "queue" | "uploadMb" | "drainSeconds" | "otel" | "reserveMb")
    | ("userShare" | "tenantShare" | "userQueue" | "userRequests" | "tenantRequests")
    | ("userFollowers" | "tenantFollowers" | "userStorageMb" | "tenantStorageMb");
  readonly variable: string;
  readonly byDefault: number;
  readonly least: number;
  readonly most: number;
}

interface OtherSetting extends SettingBase {
  readonly kind: "text" | "list" | "object";
  readonly key:
    | ("dataDir" | "database" | "blobs" | "model" | "skills" | "instructions" | "budgets" | "agent" | "agents")
    | ("request" | "providerOptions" | "standingOrders" | "search" | "fetchAllow" | "fetchOnly" | "sandbox" | "mcp")
    | ("policies" | "fallback")
    | ("host" | "tokens" | "origins" | "models" | "audit")
    | ("oidcIssuer" | "oidcAudience" | "oidcTenant" | "oidcProject" | "oidcUser" | "oidcInspect");
  /** As the reference shows it. */
  readonly byDefault: string;
}

export type Setting = CountSetting | OtherSetting;
export type SettingKey = Setting["key"];

export const SETTINGS: readonly Setting[] = [
  {
    ...{ key: "dataDir", variable: "CAIRN_DATA_DIR", kind: "text", byDefault: "./.cairn" },
    about: "The folder for all data: database, blobs and workspaces.",
  },
  {
    ...{ key: "database", variable: "CAIRN_DATABASE_URL", kind: "text", byDefault: "SQLite in the data folder" },
    about: "`postgres://user:password@host:5432/database`, for conversations that several machines share.",
  },
  {
    ...{ key: "blobs", variable: "CAIRN_BLOBS_URL", kind: "text", byDefault: "a folder in the data folder" },
    about:
      "Where blobs are stored when a database is set: `s3://bucket/prefix?endpoint=…&region=…` (the AWS SDK finds the keys), or a folder that all machines share.",
  },
  {
    ...{ key: "model", variable: "CAIRN_MODEL", kind: "text", byDefault: "offline" },
    about: `${MODEL_NAMES}. Overrides the model of an agent.`,
  },
  {
    ...{ key: "models", variable: "CAIRN_MODELS", kind: "list", byDefault: "none" },
    about: "Models that a message may ask for besides its agent's own, in the same format.",
  },
  {
    ...{ key: "fallback", variable: "CAIRN_MODEL_FALLBACK", kind: "list", byDefault: "none" },
    about:
      "Fallback models, in order, for when the built-in agent's own model is down, overloaded, unauthorised or unknown. Same format.",
  },
  {
    ...{ key: "request", variable: null, kind: "object", byDefault: "the provider's own" },
    about:
      "Request settings of the built-in agent's model: `temperature`, `top_p`, `stop`, `seed`, `max_output_tokens`, `tool_choice` (`auto`, `none`, `required` or `{tool}`) and `provider_options`. A message may override them with `settings`.",
  },
  {
    ...{ key: "providerOptions", variable: "CAIRN_PROVIDER_OPTIONS", kind: "list", byDefault: "none" },
    about:
      "Options that a message may set with `provider_options`, as `provider.option`, such as `anthropic.effort`. Allow them one by one: they can raise the cost or change what the model may do.",
  },
  {
    ...{ key: "skills", variable: "CAIRN_SKILLS", kind: "text", byDefault: "none" },
    about: "A folder of skills for the built-in agent.",
  },
  {
    ...{ key: "instructions", variable: null, kind: "text", byDefault: "none" },
    about: "Text added to the built-in agent's instructions.",
  },
  {
    ...{ key: "search", variable: "CAIRN_SEARCH", kind: "text", byDefault: "the sample library" },
    about:
      "Where the built-in agent searches: `corpus:<folder>`, `searxng:<url>`, `brave` (`BRAVE_API_KEY`), `tavily` (`TAVILY_API_KEY`), or `none`. The sample library is ten short documents that come with Cairn.",
  },
  {
    ...{ key: "fetchAllow", variable: "CAIRN_FETCH_ALLOW", kind: "list", byDefault: "none" },
    about: "Hosts that the built-in agent may fetch from although their address is not public: `host` or `host:port`.",
  },
  {
    ...{ key: "fetchOnly", variable: "CAIRN_FETCH_ONLY", kind: "list", byDefault: "every public host" },
    about:
      "The only hosts the built-in agent fetches pages from, redirects included: `host`, `host:port` or `*.example.com`.",
  },
  {
    ...{ key: "sandbox", variable: "CAIRN_SANDBOX", kind: "text", byDefault: "auto" },
    about:
      "The sandbox in which the built-in agent runs programs: `auto` (bubblewrap where it works, otherwise Deno), `bubblewrap`, `deno`, or `none` for no programs.",
  },
  {
    ...{ key: "mcp", variable: null, kind: "object", byDefault: "none" },
    about:
      "MCP servers for the built-in agent, by name: `{command, args, env, cwd}` or `{url, headers}`; `allow` lists the tools it may use; `approval` is `always` (the default), `unless_read_only` or `never`.",
  },
  {
    ...{ key: "policies", variable: null, kind: "object", byDefault: "the tool's own policy" },
    about:
      'What happens to a call, by tool id or by a prefix of tool ids: `{"mcp.shop.*": "ask"}`. `ask` asks a person, `allow` runs it, `refuse` rejects it. A person who is asked may allow the tool for the rest of the conversation.',
  },
  {
    ...{ key: "budgets", variable: null, kind: "object", byDefault: "15 iterations" },
    about:
      "`{iterations, tokens, dollars, elapsedMs}` limits a turn of the built-in agent; `user: {tokens, dollars, windowMs}` limits all turns of one user.",
  },
  {
    ...{ key: "agent", variable: null, kind: "object", byDefault: "the built-in agent" },
    about: "Your own agent, made with `defineAgent` (TypeScript only).",
  },
  {
    ...{ key: "agents", variable: null, kind: "object", byDefault: "the built-in agent" },
    about:
      "A list of agents. A conversation keeps the agent it began with: the one it names, or the first of the list.",
  },
  {
    ...{ key: "host", variable: "CAIRN_HOST", kind: "text", byDefault: "127.0.0.1" },
    about:
      "The address `cairn serve` listens on. An address that other machines can reach needs `CAIRN_TOKENS` or `CAIRN_OIDC_ISSUER`.",
  },
  {
    ...{ key: "port", variable: "CAIRN_PORT", kind: "count", byDefault: 4310, least: 0, most: 65_535 },
    about: "The port; 0 chooses a free one.",
  },
  {
    ...{ key: "tokens", variable: "CAIRN_TOKENS", kind: "text", byDefault: "none" },
    about:
      "Who may call the server: a file with a JSON list of `{sha256, tenant, project, user}`, or the list itself. `cairn token` makes one, `operator` and `inspect` included.",
  },
  {
    ...{ key: "oidcIssuer", variable: "CAIRN_OIDC_ISSUER", kind: "text", byDefault: "none" },
    about: "An OpenID Connect issuer whose signed tokens the server also accepts, such as `https://login.example.com`.",
  },
  {
    ...{ key: "oidcAudience", variable: "CAIRN_OIDC_AUDIENCE", kind: "text", byDefault: "none" },
    about: "The `aud` claim that these tokens must have. Required with an issuer.",
  },
  {
    ...{ key: "oidcTenant", variable: "CAIRN_OIDC_TENANT", kind: "text", byDefault: "tenant" },
    about: "The claim that names the tenant, or `=acme` for one tenant for every user of the issuer.",
  },
  {
    ...{ key: "standingOrders", variable: "CAIRN_STANDING_ORDERS", kind: "text", byDefault: "conversation" },
    about:
      "`user`: a new conversation of the built-in agent starts with the standing orders of the user's other conversations. `conversation`: it starts with none.",
  },
  {
    ...{ key: "oidcProject", variable: "CAIRN_OIDC_PROJECT", kind: "text", byDefault: "project" },
    about: "The claim that names the project, or `=` and a name for one project for every user of the issuer.",
  },
  {
    ...{ key: "oidcUser", variable: "CAIRN_OIDC_USER", kind: "text", byDefault: "sub" },
    about: "The claim that names the user, or `=` and a name for one user for every token of the issuer.",
  },
  {
    ...{ key: "oidcInspect", variable: "CAIRN_OIDC_INSPECT", kind: "text", byDefault: "none" },
    about:
      "The claim that grants the permission `inspect`. The claim must be `true`, or contain `inspect` in a list or as a word. Without this setting, no signed token grants it.",
  },
  {
    ...{ key: "audit", variable: "CAIRN_AUDIT", kind: "text", byDefault: "none" },
    about: "Where to write the audit log: an append-only file, or `stdout`.",
  },
  {
    ...{ key: "otel", variable: "CAIRN_OTEL", kind: "count", byDefault: 0, least: 0, most: 1 },
    about: "1 sends traces and metrics to an OpenTelemetry collector, configured with the standard `OTEL_*` variables.",
  },
  {
    ...{ key: "origins", variable: "CAIRN_ORIGINS", kind: "list", byDefault: "none" },
    about: "Other origins whose pages may call the server, such as `https://example.com`.",
  },
  {
    ...{ key: "concurrency", variable: "CAIRN_CONCURRENCY", kind: "count", byDefault: 8, least: 0, most: 1_000 },
    about:
      "Maximum number of turns that run at once. 0 leaves turns to other processes on the same store, such as `cairn worker`.",
  },
  {
    ...{ key: "queue", variable: "CAIRN_QUEUE", kind: "count", byDefault: 200, least: 1, most: 100_000 },
    about:
      "Maximum number of conversations of one tenant that wait for a turn. The server returns 429 to messages beyond that.",
  },
  {
    ...{ key: "userQueue", variable: "CAIRN_USER_QUEUE", kind: "count", byDefault: 50, least: 1, most: 100_000 },
    about: "Maximum number of conversations of one user that wait for a turn.",
  },
  {
    ...{ key: "userShare", variable: "CAIRN_USER_SHARE", kind: "count", byDefault: 50, least: 1, most: 100 },
    about:
      "Maximum share of a process's capacity that one user may use at a time, in percent: turns (`CAIRN_CONCURRENCY`), programs, and memory for uploads. At least one of each is always allowed.",
  },
  {
    ...{ key: "tenantShare", variable: "CAIRN_TENANT_SHARE", kind: "count", byDefault: 75, least: 1, most: 100 },
    about:
      "The same for all users of a tenant together. If there is only one tenant, set it to 100; if there is only one user, set both shares to 100.",
  },
  {
    ...{ key: "userRequests", variable: "CAIRN_USER_REQUESTS", kind: "count", byDefault: 20, least: 1, most: 100_000 },
    about:
      "Maximum number of requests per second of one user to one server. A burst of three seconds' worth is allowed, and each megabyte of a body counts as one request; the server returns 429 to requests beyond that.",
  },
  {
    ...{ key: "tenantRequests", variable: "CAIRN_TENANT_REQUESTS", kind: "count" },
    ...{ byDefault: 100, least: 1, most: 100_000 },
    about: "The same for all users of a tenant together.",
  },
  {
    ...{
      key: "userFollowers",
      variable: "CAIRN_USER_FOLLOWERS",
      kind: "count",
      byDefault: 50,
      least: 1,
      most: 100_000,
    },
    about: "Maximum number of open event streams of one user at one server.",
  },
  {
    ...{ key: "tenantFollowers", variable: "CAIRN_TENANT_FOLLOWERS", kind: "count" },
    ...{ byDefault: 1_000, least: 1, most: 100_000 },
    about: "The same for all users of a tenant together.",
  },
  {
    ...{ key: "userStorageMb", variable: "CAIRN_USER_STORAGE_MB", kind: "count" },
    ...{ byDefault: 10_000, least: 1, most: 1_000_000_000 },
    about:
      "Maximum size of the conversations and files of one user, in megabytes. The server returns 507 to messages, uploads, imports and forks beyond that.",
  },
  {
    ...{ key: "tenantStorageMb", variable: "CAIRN_TENANT_STORAGE_MB", kind: "count" },
    ...{ byDefault: 100_000, least: 1, most: 1_000_000_000 },
    about: "The same for all users of a tenant together. Deleted files count until the next daily `gc`.",
  },
  {
    ...{ key: "uploadMb", variable: "CAIRN_UPLOAD_MB", kind: "count", byDefault: 32, least: 1, most: 512 },
    about: "Maximum size of one request in megabytes, attachments included.",
  },
  {
    ...{ key: "reserveMb", variable: "CAIRN_RESERVE_MB", kind: "count", byDefault: 64, least: 0, most: 1_000_000_000 },
    about:
      "Minimum free space on the disk of the data folder, in megabytes. Below it, `/readyz` returns 503, and a server that keeps its data there returns 507 to messages, uploads, imports and forks. Accepted turns continue.",
  },
  {
    ...{ key: "drainSeconds", variable: "CAIRN_DRAIN_SECONDS", kind: "count", byDefault: 10, least: 0, most: 3_600 },
    about:
      "How long the server waits for running turns when it stops. Turns that do not end in time continue at the next start.",
  },
];
