/** Opens what an application needs: the store, the agents, the queue with its turns, and the live feed. */
import { redactor, secretsOf } from "@cairn/agent";
import { CairnError, type CountTokens, loadTokenizer } from "@cairn/timeline";
import { openStore } from "../data/open-store.ts";
import { SecretBox } from "../data/secrets.ts";
import { Undo } from "../data/undo.ts";
import type { CairnOptions } from "../define/cairn-options.ts";
import { checkOptions, type OptionKinds } from "../define/check-options.ts";
import { LiveHub } from "../live/live-hub.ts";
import { scopeLimits } from "../settings/scope-limits.ts";
import { readSettings } from "../settings/settings.ts";
import { WriteRoom } from "../shares/write-room.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { Agents } from "../turns/agents.ts";
import { DailyGc } from "../turns/daily-gc.ts";
import { openQueue } from "../turns/open-queue.ts";
import { createRunner } from "../turns/turn-runner.ts";
import { Cairn } from "./cairn.ts";
import { openAgents } from "./open-agents.ts";
import type { CairnParts } from "./parts.ts";

const UNMEASURED = {
  turnDone: () => undefined,
  turnRefused: () => undefined,
  tokensUsed: () => undefined,
  dollarsSpent: () => undefined,
};

const OPTIONS: OptionKinds<CairnOptions> = {
  agents: "list",
  store: "text",
  blobs: "text",
  folder: "text",
  concurrency: "number",
  env: "object",
  log: "object",
};

export async function openCairn(options: CairnOptions): Promise<Cairn> {
  checkOptions(options, OPTIONS, "`createCairn`", "bad_config");
  if (options.log !== undefined) checkLog(options.log);
  const { env = process.env } = options;
  const { CAIRN_SECRET_KEY } = env;
  const settings = readSettings(
    { name: "createCairn", content: contentOf(options) },
    { CAIRN_SECRET_KEY },
    process.cwd(),
  );
  const { concurrency } = settings.server;
  const { database, dataDir } = settings;
  const now = () => Date.now();
  const log = options.log ?? createLog(process.stderr, now, "warn", redactor(secretsOf(env)));
  await using onFailure = new Undo();
  const onConnectionLost = (error: Error) =>
    log.warn("The connection to the store's database was lost.", { error: error.message });
  const store = onFailure.adopt(await openStore(settings, { onConnectionLost }), (each) => each.close());
  const opened = await openAgents(options.agents, env, new SecretBox(settings, store));
  const agents = onFailure.adopt(Agents.of(opened), (each) => each.close());
  for (const problem of agents.problems) log.warn("agents", { problem });
  const { shares, queue: limits, storage } = scopeLimits(settings);
  const live = new LiveHub(store, { share: (...going) => queue.share?.(...going) });
  onFailure.defer(() => live.close());
  const queue = await openQueue({ store, database, concurrency, shares, limits, isWatched: true, log });
  onFailure.defer(() => queue.drain(0));
  queue.onChange((key, { status, position }) => live.status(key, status, position));
  queue.onShared?.((key, item) => live.hearElsewhere(key, item));
  const room = WriteRoom.of(settings, store, storage);
  let tokenizer: Promise<CountTokens> | null = null;
  const parts: CairnParts = {
    store,
    atOnce: store,
    queue,
    live,
    agents,
    room,
    settings,
    telemetry: UNMEASURED,
    log,
    now,
    loadTokenizer: () => (tokenizer ??= loadTokenizer()),
  };
  queue.start(createRunner({ ...parts, dataDir, tracing: null }));
  const daily = new DailyGc({ store, dataDir, log });
  onFailure.cancel();
  return new Cairn(parts, async () => {
    await queue.drain(0);
    live.close();
    await daily[Symbol.asyncDispose]();
    await Promise.all([store.close(), agents.close()]);
  });
}

/** The application's logger may have more methods, which Cairn does not use. */
function checkLog(log: Log): void {
  const missing = (["info", "warn", "error"] as const).find((level) => typeof log[level] !== "function");
  if (missing !== undefined)
    throw new CairnError("bad_config", `\`log\` of \`createCairn\` needs a function \`${missing}\`.`, { field: "log" });
}

function contentOf({ store, blobs, folder, concurrency }: CairnOptions): object {
  const isDatabase = store !== undefined && /^postgres(ql)?:\/\//.test(store);
  const scheme = isDatabase ? null : /^([a-z][\w+.-]+):\/\//i.exec(store ?? "");
  if (store === "" || scheme !== null)
    throw new CairnError(
      "bad_config",
      `\`store\` of \`createCairn\` is ${JSON.stringify(scheme?.[0] ?? store)}. It must be a folder or a \`postgres://\` address.`,
      { field: "store" },
    );
  return {
    ...(store === undefined ? {} : isDatabase ? { database: store } : { dataDir: store }),
    ...(folder === undefined ? {} : { dataDir: folder }),
    ...(blobs === undefined ? {} : { blobs }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
