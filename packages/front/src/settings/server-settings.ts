/** Additional settings of `cairn serve` and `cairn worker`. */
import { absolute, badConfig, convertedText, count, list, onOrOff, type Source, text } from "./setting.ts";

/** `tokens` is unparsed: a file, or the list itself. */
export const SERVER = {
  host: convertedText(
    {
      variable: "CAIRN_HOST",
      byDefault: "127.0.0.1",
      about:
        "The address `cairn serve` listens on. An address that other machines can reach needs `CAIRN_TOKENS` or `CAIRN_OIDC_ISSUER`.",
    },
    (host) => host ?? "127.0.0.1",
  ),
  port: count("CAIRN_PORT", { byDefault: 4310, least: 0, most: 65_535 }, "The port; 0 chooses a free one."),
  tokens: text({
    variable: "CAIRN_TOKENS",
    byDefault: "none",
    about:
      "Who may call the server: a file with a JSON list of `{sha256, tenant, project, user}`, or the list itself. `cairn token` makes one, `operator` and `inspect` included.",
  }),
  audit: convertedText(
    {
      variable: "CAIRN_AUDIT",
      byDefault: "none",
      about: "Where to write the audit log: an append-only file, or `stdout`.",
    },
    (to, source) => (to === null || to === "stdout" ? to : absolute(to, source)),
  ),
  otel: onOrOff(
    "CAIRN_OTEL",
    "1 sends traces and metrics to an OpenTelemetry collector, configured with the standard `OTEL_*` variables.",
  ),
  origins: list(
    {
      variable: "CAIRN_ORIGINS",
      byDefault: "none",
      about: "Other origins whose pages may call the server, such as `https://example.com`.",
    },
    checkOrigin,
  ),
  models: list({
    variable: "CAIRN_MODELS",
    byDefault: "none",
    about: "Models that a message may ask for besides its agent's own, in the format of `CAIRN_MODEL`.",
  }),
  providerOptions: list({
    variable: "CAIRN_PROVIDER_OPTIONS",
    byDefault: "none",
    about:
      "Options that a message may set with `provider_options`, as `provider.option`, such as `anthropic.effort`. Allow them one by one: they can raise the cost or change what the model may do.",
  }),
  drainSeconds: count(
    "CAIRN_DRAIN_SECONDS",
    { byDefault: 10, least: 0, most: 3_600 },
    "How long the server waits for running turns when it stops. Turns that do not end in time continue at the next start.",
  ),
  uploadMb: count(
    "CAIRN_UPLOAD_MB",
    { byDefault: 32, least: 1, most: 512 },
    "Maximum size of one request in megabytes, attachments included.",
  ),
  reserveMb: count(
    "CAIRN_RESERVE_MB",
    { byDefault: 64, least: 0, most: 1_000_000_000 },
    "Minimum free space on the disk of the data folder, in megabytes. Below it, `/readyz` returns 503, and a server that keeps its data there returns 507 to messages, uploads, imports and forks. Accepted turns continue.",
  ),
};

/** Limits of one process, one user and one tenant. */
export const LIMITS = {
  concurrency: count(
    "CAIRN_CONCURRENCY",
    { byDefault: 8, least: 0, most: 1_000 },
    "Maximum number of turns that run at once. 0 leaves turns to other processes on the same store, such as `cairn worker`.",
  ),
  queue: count(
    "CAIRN_QUEUE",
    { byDefault: 200, least: 1, most: 100_000 },
    "Maximum number of conversations of one tenant that wait for a turn. The server returns 429 to messages beyond that.",
  ),
  userQueue: count(
    "CAIRN_USER_QUEUE",
    { byDefault: 50, least: 1, most: 100_000 },
    "Maximum number of conversations of one user that wait for a turn.",
  ),
  userShare: count(
    "CAIRN_USER_SHARE",
    { byDefault: 50, least: 1, most: 100 },
    "Maximum share of a process's capacity that one user may use at a time, in percent: turns (`CAIRN_CONCURRENCY`), programs, and memory for uploads. At least one of each is always allowed.",
  ),
  tenantShare: count(
    "CAIRN_TENANT_SHARE",
    { byDefault: 75, least: 1, most: 100 },
    "Maximum share of a process's capacity that all users of one tenant together may use at a time, in percent. If there is only one tenant, set it to 100; if there is only one user, set both shares to 100.",
  ),
  userRequests: count(
    "CAIRN_USER_REQUESTS",
    { byDefault: 20, least: 1, most: 100_000 },
    "Maximum number of requests per second of one user to one server. A burst of three seconds' worth is allowed, and each megabyte of a body counts as one request; the server returns 429 to requests beyond that.",
  ),
  tenantRequests: count(
    "CAIRN_TENANT_REQUESTS",
    { byDefault: 100, least: 1, most: 100_000 },
    "Maximum number of requests per second of all users of one tenant together to one server.",
  ),
  userFollowers: count(
    "CAIRN_USER_FOLLOWERS",
    { byDefault: 50, least: 1, most: 100_000 },
    "Maximum number of open event streams of one user at one server.",
  ),
  tenantFollowers: count(
    "CAIRN_TENANT_FOLLOWERS",
    { byDefault: 1_000, least: 1, most: 100_000 },
    "Maximum number of open event streams of all users of one tenant together at one server.",
  ),
  userStorageMb: count(
    "CAIRN_USER_STORAGE_MB",
    { byDefault: 10_000, least: 1, most: 1_000_000_000 },
    "Maximum size of the conversations and files of one user, in megabytes. The server returns 507 to messages, uploads, imports and forks beyond that.",
  ),
  tenantStorageMb: count(
    "CAIRN_TENANT_STORAGE_MB",
    { byDefault: 100_000, least: 1, most: 1_000_000_000 },
    "Maximum size of the conversations and files of all users of one tenant together, in megabytes. Deleted files count until the next daily `gc`.",
  ),
};

function checkOrigin(origin: string, { file }: Source): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  const at = file === "" ? "CAIRN_ORIGINS" : file;
  throw badConfig({ file: at }, `${JSON.stringify(origin)} is not an origin, such as https://example.com`);
}
