/**
 * Every setting: its key in the configuration file, its variable, its default and what it means. Settings are read by
 * this table and `docs/configuration.md` is written from it, so that neither knows one the other does not.
 */
import { MODEL_PROVIDERS } from "@cairn/agent";

const NAMES = ["offline", ...MODEL_PROVIDERS.map(({ name }) => `${name}:<id>`)].map((name) => `\`${name}\``);
const MODEL_NAMES = `${NAMES.slice(0, -1).join(", ")} or ${NAMES.at(-1)}`;

interface SettingBase {
  /** In `cairn.config.json` and `cairn.config.ts`. */
  readonly key: string;
  /** In the environment, which goes before the file; null where a variable makes no sense. */
  readonly variable: string | null;
  readonly about: string;
}

export interface CountSetting extends SettingBase {
  readonly kind: "count";
  readonly key: "port" | "concurrency" | "queue" | "uploadMb" | "drainSeconds" | "otel" | "reserveMb";
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
    | ("oidcIssuer" | "oidcAudience" | "oidcTenant" | "oidcProject" | "oidcUser");
  /** As the reference shows it. */
  readonly byDefault: string;
}

export type Setting = CountSetting | OtherSetting;
export type SettingKey = Setting["key"];

export const SETTINGS: readonly Setting[] = [
  {
    ...{ key: "dataDir", variable: "CAIRN_DATA_DIR", kind: "text", byDefault: "./.cairn" },
    about: "Where everything is kept: database, blobs and workspaces.",
  },
  {
    ...{ key: "database", variable: "CAIRN_DATABASE_URL", kind: "text", byDefault: "SQLite in the data folder" },
    about: "`postgres://user:password@host:5432/database`: conversations that several machines share.",
  },
  {
    ...{ key: "blobs", variable: "CAIRN_BLOBS_URL", kind: "text", byDefault: "a folder in the data folder" },
    about:
      "With a database: `s3://bucket/prefix?endpoint=…&region=…` (keys as the AWS SDK finds them), or a folder all machines see.",
  },
  {
    ...{ key: "model", variable: "CAIRN_MODEL", kind: "text", byDefault: "offline" },
    about: `${MODEL_NAMES}. Overrides the model of an agent.`,
  },
  {
    ...{ key: "models", variable: "CAIRN_MODELS", kind: "list", byDefault: "none" },
    about: "Models a message may ask for besides its agent's own, in the same spelling.",
  },
  {
    ...{ key: "fallback", variable: "CAIRN_MODEL_FALLBACK", kind: "list", byDefault: "none" },
    about:
      "Models that answer, in this order, when the built-in agent's own is down, overloaded, unauthorised or unknown, in the same spelling.",
  },
  {
    ...{ key: "request", variable: null, kind: "object", byDefault: "the provider's own" },
    about:
      "How the built-in agent's model is asked to answer: `temperature`, `top_p`, `stop`, `seed`, `max_output_tokens`, `tool_choice` (`auto`, `none`, `required` or `{tool}`) and `provider_options`. A message may bring its own `settings`.",
  },
  {
    ...{ key: "providerOptions", variable: "CAIRN_PROVIDER_OPTIONS", kind: "list", byDefault: "none" },
    about:
      "Options a message may set with `provider_options`, as `provider.option`, such as `anthropic.effort`. They may cost more or reach further than other settings do.",
  },
  {
    ...{ key: "skills", variable: "CAIRN_SKILLS", kind: "text", byDefault: "none" },
    about: "A folder of skills for the built-in agent.",
  },
  {
    ...{ key: "instructions", variable: null, kind: "text", byDefault: "none" },
    about: "Added to what the built-in agent is told.",
  },
  {
    ...{ key: "search", variable: "CAIRN_SEARCH", kind: "text", byDefault: "the sample library" },
    about:
      "Where the built-in agent searches: `corpus:<folder>`, `searxng:<url>`, `brave` (`BRAVE_API_KEY`), `tavily` (`TAVILY_API_KEY`), or `none`. Without it: ten short documents that come with Cairn.",
  },
  {
    ...{ key: "fetchAllow", variable: "CAIRN_FETCH_ALLOW", kind: "list", byDefault: "none" },
    about: "Hosts the built-in agent may fetch from though their address is not public: `host` or `host:port`.",
  },
  {
    ...{ key: "fetchOnly", variable: "CAIRN_FETCH_ONLY", kind: "list", byDefault: "every public host" },
    about:
      "The only hosts the built-in agent fetches pages from, redirects included: `host`, `host:port` or `*.example.com`.",
  },
  {
    ...{ key: "sandbox", variable: "CAIRN_SANDBOX", kind: "text", byDefault: "auto" },
    about:
      "What the built-in agent's programs run in: `auto` (bubblewrap where it works, else Deno), `bubblewrap`, `deno`, or `none` for no programs.",
  },
  {
    ...{ key: "mcp", variable: null, kind: "object", byDefault: "none" },
    about:
      "MCP servers whose tools the built-in agent has, by name: `{command, args, env, cwd}` or `{url, headers}`, `allow`, the tools it may use, and `approval`: `always` (the default), `unless_read_only` or `never`.",
  },
  {
    ...{ key: "policies", variable: null, kind: "object", byDefault: "as each tool says" },
    about:
      'What becomes of calls, by tool or by the beginning of ids: `{"mcp.shop.*": "ask"}`. `ask` a person, `allow`, or `refuse`. People may allow a tool for a conversation when they are asked.',
  },
  {
    ...{ key: "budgets", variable: null, kind: "object", byDefault: "15 iterations" },
    about:
      "`{iterations, tokens, dollars, elapsedMs}` of the built-in agent's turns, and `user: {tokens, dollars, windowMs}` of one user's.",
  },
  {
    ...{ key: "agent", variable: null, kind: "object", byDefault: "the built-in one" },
    about: "An agent of your own, made with `defineAgent` (TypeScript only).",
  },
  {
    ...{ key: "agents", variable: null, kind: "object", byDefault: "the built-in one" },
    about: "Several; a conversation stays with the one it began with, the first unless it names another.",
  },
  {
    ...{ key: "host", variable: "CAIRN_HOST", kind: "text", byDefault: "127.0.0.1" },
    about:
      "The address `cairn serve` listens on. Any other than this machine's own needs `CAIRN_TOKENS` or `CAIRN_OIDC_ISSUER`.",
  },
  {
    ...{ key: "port", variable: "CAIRN_PORT", kind: "count", byDefault: 4310, least: 0, most: 65_535 },
    about: "The port; 0 takes any free one.",
  },
  {
    ...{ key: "tokens", variable: "CAIRN_TOKENS", kind: "text", byDefault: "none" },
    about:
      "Who may call the server: a file with a JSON list of `{sha256, tenant, project, user}`, or the list itself. `cairn token` makes one.",
  },
  {
    ...{ key: "oidcIssuer", variable: "CAIRN_OIDC_ISSUER", kind: "text", byDefault: "none" },
    about: "An OpenID Connect issuer whose signed tokens open the server too, such as `https://login.example.com`.",
  },
  {
    ...{ key: "oidcAudience", variable: "CAIRN_OIDC_AUDIENCE", kind: "text", byDefault: "none" },
    about: "The name of this server in the `aud` of such tokens. Needed with an issuer.",
  },
  {
    ...{ key: "oidcTenant", variable: "CAIRN_OIDC_TENANT", kind: "text", byDefault: "tenant" },
    about: "The claim that names the tenant, or `=acme` for the tenant of everybody the issuer knows.",
  },
  {
    ...{ key: "standingOrders", variable: "CAIRN_STANDING_ORDERS", kind: "text", byDefault: "conversation" },
    about:
      "`user`: a new conversation of the built-in agent begins with what its user asked for good in others. `conversation`: with none.",
  },
  {
    ...{ key: "oidcProject", variable: "CAIRN_OIDC_PROJECT", kind: "text", byDefault: "project" },
    about: "The claim that names the project, or `=` and one for everybody.",
  },
  {
    ...{ key: "oidcUser", variable: "CAIRN_OIDC_USER", kind: "text", byDefault: "sub" },
    about: "The claim that names the user, or `=` and one for everybody.",
  },
  {
    ...{ key: "audit", variable: "CAIRN_AUDIT", kind: "text", byDefault: "none" },
    about: "Where to write down who did what: a file that is only added to, or `stdout`.",
  },
  {
    ...{ key: "otel", variable: "CAIRN_OTEL", kind: "count", byDefault: 0, least: 0, most: 1 },
    about: "1 sends traces and metrics to an OpenTelemetry collector, as the standard `OTEL_*` variables say.",
  },
  {
    ...{ key: "origins", variable: "CAIRN_ORIGINS", kind: "list", byDefault: "none" },
    about: "Other origins whose pages may call the server, such as `https://example.com`.",
  },
  {
    ...{ key: "concurrency", variable: "CAIRN_CONCURRENCY", kind: "count", byDefault: 8, least: 0, most: 1_000 },
    about: "Turns that run at once. 0 leaves them to others on the same store, such as `cairn worker`.",
  },
  {
    ...{ key: "queue", variable: "CAIRN_QUEUE", kind: "count", byDefault: 200, least: 1, most: 100_000 },
    about: "Conversations that may wait for their turn; who comes after that is told to come back later (429).",
  },
  {
    ...{ key: "uploadMb", variable: "CAIRN_UPLOAD_MB", kind: "count", byDefault: 32, least: 1, most: 512 },
    about: "Megabytes one request may send, its attachments included.",
  },
  {
    ...{ key: "reserveMb", variable: "CAIRN_RESERVE_MB", kind: "count", byDefault: 64, least: 0, most: 1_000_000_000 },
    about: "Megabytes that have to be free where the data folder is; with less, `/readyz` says 503.",
  },
  {
    ...{ key: "drainSeconds", variable: "CAIRN_DRAIN_SECONDS", kind: "count", byDefault: 10, least: 0, most: 3_600 },
    about:
      "How long running turns may take to end when the server is told to stop. Those that do not end go on at the next start.",
  },
];
