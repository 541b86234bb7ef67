/** Starts and stops a server: the store, the queue with its turns, and HTTP. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { checkAgentFits, redactor, secretsOf } from "@cairn/agent";
import { CairnError, loadTokenizer } from "@cairn/timeline";
import { openAudit, openStore, type Settings, scopeLimits, Undo } from "cairn-agent/process";
import {
  Agents,
  createLog,
  createRunner,
  DailyGc,
  LiveHub,
  type Log,
  type LogLevel,
  openQueue,
  WriteRoom,
} from "cairn-agent/turns";
import manifest from "../package.json" with { type: "json" };
import { composeApp } from "./app.ts";
import { isLoopback } from "./auth/loopback.ts";
import { Oidc } from "./auth/oidc.ts";
import { atTheMachine, type KnownTokens, tokenCallers } from "./auth/server-callers.ts";
import { TokenFile } from "./auth/token-file.ts";
import { isList, readTokens } from "./auth/tokens.ts";
import { PACE, type Pace } from "./http/pace.ts";
import type { ServerParts } from "./http/routes/server-parts.ts";
import { listen } from "./listen.ts";
import { Processor } from "./shares/processor.ts";
import { shareSteps } from "./shares/share-steps.ts";
import { openTracing } from "./telemetry/otel/open-tracing.ts";
import { createTelemetry } from "./telemetry/telemetry.ts";

export interface ServeOptions {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where log lines are written. */
  readonly logTo: Pick<Writable, "write">;
  /** The stream for an audit log that is set to `stdout` (default: standard output of the process). */
  readonly stdout?: Pick<Writable, "write">;
  /** The minimum level of log lines. Default: all lines. */
  readonly logLevel?: LogLevel;
  /** The folder of the built web app; ignored if it does not exist. */
  readonly webFolder?: string;
  /** Runs turns and serves only health checks, as a worker beside servers on the same store. */
  readonly worksOnly?: boolean;
  /** Minimum speed at which clients must send their requests (default: `PACE`). */
  readonly pace?: Pace;
}

export interface RunningServer {
  /** The server's URL, such as `http://127.0.0.1:4310`. */
  readonly address: string;
  readonly port: number;
  /** Accepts no more requests, waits for running turns or leaves them for the next start, and releases resources. */
  readonly stop: () => Promise<void>;
}

/** Throws an error with a message of one line if a setting is wrong or the port is in use. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { settings, env, pace = PACE, worksOnly = false } = options;
  const { host, port, origins, concurrency, drainSeconds } = settings.server;
  const now = () => Date.now();
  const log = createLog(options.logTo, now, options.logLevel, redactor(secretsOf(env)));
  const tokens = settings.server.tokens === null ? null : await openTokens(settings.server.tokens, log);
  const oidc = settings.server.oidc === null ? null : new Oidc(settings.server.oidc);
  if (tokens === null && oidc === null && !isLoopback(host))
    throw new CairnError(
      "bad_setting",
      `CAIRN_HOST is ${host}, which other machines can reach. Set CAIRN_TOKENS (cairn token makes one) or CAIRN_OIDC_ISSUER to control access.`,
    );
  if (worksOnly && concurrency === 0)
    throw new CairnError(
      "bad_setting",
      "CAIRN_CONCURRENCY is 0, so this worker would run no turns. Set it to 1 or more.",
    );
  const { audit: auditTo } = settings.server;
  const audit = auditTo === null ? null : await openAudit(auditTo, options.stdout ?? process.stdout);
  await using onFailure = new Undo();
  const onConnectionLost = (error: Error) =>
    log.warn("The connection to the store's database was lost.", { error: error.message });
  const opened = onFailure.adopt(await openStore(settings, { onConnectionLost }), (each) => each.close());
  const agents = onFailure.adopt(await Agents.load(settings, env, opened), (each) => each.close());
  for (const problem of agents.problems) log.warn("tools", { problem });
  const scoped = scopeLimits(settings);
  const { shares, queue: limits, followers, storage, time } = scoped;
  const processor = new Processor(time, () => performance.now());
  const store = shareSteps(opened, processor);
  const live = new LiveHub(store, { share: (...going) => queue.share?.(...going), followers });
  const { database } = settings;
  const queue = await openQueue({ store, database, concurrency, shares, limits, isWatched: !worksOnly, log });
  onFailure.defer(() => queue.drain(0));
  queue.onChange((key, { status, position }) => live.status(key, status, position));
  queue.onShared?.((key, item) => live.hearElsewhere(key, item));
  const state = { running: () => queue.running, waiting: () => queue.waiting, followers: () => live.followers };
  const telemetry = createTelemetry(state);
  const tracing = settings.server.otel ? await openTracing(manifest.version, state) : null;
  onFailure.defer(() => tracing?.close());
  const countTokens = await loadTokenizer();
  for (const agent of agents.all) checkAgentFits(agent, countTokens);
  const room = WriteRoom.of(settings, store, storage);
  let draining = false;
  const parts: ServerParts = {
    store,
    atOnce: opened,
    queue,
    live,
    agents,
    room,
    settings,
    loadTokenizer: async () => countTokens,
    log,
    telemetry,
    tracing,
    traceparent: () => tracing?.traceparent(),
    now,
    version: manifest.version,
    prefix: "",
    isDraining: () => draining,
  };
  const web = options.webFolder;
  const webFolder = web !== undefined && existsSync(join(web, "index.html")) ? web : null;
  const isOpen = tokens === null && oidc === null;
  const app = composeApp(parts, {
    isOpen,
    findCaller: isOpen ? atTheMachine : tokenCallers(tokens, oidc),
    origins,
    audit,
    webFolder,
    pace,
    processor,
    limits: scoped,
    serves: worksOnly ? "operations" : "all",
  });
  const listener = await listen(app.fetch, { host, port, pace, log });
  // From here on, `stop` closes all that was opened.
  onFailure.cancel();
  queue.start(createRunner({ ...parts, dataDir: settings.dataDir }));
  const daily = new DailyGc({ store, dataDir: settings.dataDir, log });
  log.info("listening", { host, port: listener.port, data: settings.dataDir });

  return {
    address: listener.address,
    port: listener.port,
    stop: async () => {
      draining = true;
      log.info("stopping", { running: queue.running, waiting: queue.waiting });
      listener.refuseNew();
      processor[Symbol.dispose]();
      await queue.drain(drainSeconds * 1_000);
      live.close();
      await listener.close();
      await daily[Symbol.asyncDispose]();
      await Promise.all([store.close(), agents.close(), tracing?.close()]);
      log.info("stopped");
    },
  };
}

/** A list in the setting itself cannot change while the process runs. A list in a file is read again. */
async function openTokens(setting: string, log: Log): Promise<KnownTokens> {
  if (isList(setting)) return readTokens(setting);
  const warn = (problem: string) => log.warn("The token file cannot be read.", { problem });
  return TokenFile.open(setting, { now: () => performance.now(), warn });
}
