/** A real cluster for tests: servers and workers as processes on PostgreSQL and S3, each with its own data folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ConversationKey } from "@cairn/store";
import { openClusterStore } from "@cairn/store/cluster";
import { childEnv } from "@cairn/testkit/child-env";
import { CairnError } from "@cairn/timeline";

const BIN = fileURLToPath(new URL("../../../cli/bin/cairn.mjs", import.meta.url));
/** The folder of `cairn.config.ts`. */
const HERE = fileURLToPath(new URL(".", import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

/** The services that the processes share, started by the test. */
export interface Services {
  readonly postgres: { createDatabase(): Promise<string>; close(): Promise<void> };
  /** The S3 server; null if files are in a folder. */
  readonly s3: {
    readonly endpoint: string;
    readonly env: Readonly<Record<string, string>>;
    createBucket(name: string): Promise<void>;
    close(): Promise<void>;
  } | null;
}

interface Member {
  readonly child: ChildProcess;
  readonly address: string;
}

export class ClusterBench implements AsyncDisposable {
  readonly folder: string;
  readonly store: Awaited<ReturnType<typeof openClusterStore>>;
  readonly servers: Member[] = [];
  readonly workers: Member[] = [];
  /** Connections to the database that this process lost, for example when a test stops the database. */
  readonly lost: readonly Error[];
  readonly #services: Services;
  readonly #env: Environment;
  #started = 0;

  private constructor(parts: Pick<ClusterBench, "folder" | "store" | "lost">, services: Services, env: Environment) {
    this.folder = parts.folder;
    this.store = parts.store;
    this.lost = parts.lost;
    this.#services = services;
    this.#env = env;
  }

  /** Disposing it also stops the services. */
  static async start(
    services: Services,
    members: { readonly servers: number; readonly workers: number },
    more: Environment = {},
  ): Promise<ClusterBench> {
    const { postgres, s3 } = services;
    const folder = await mkdtemp(join(tmpdir(), "cairn-cluster-"));
    Object.assign(process.env, s3?.env);
    await s3?.createBucket("cairn");
    const database = await postgres.createDatabase();
    const blobs =
      s3 === null ? join(folder, "blobs") : `s3://cairn/cluster?endpoint=${encodeURIComponent(s3.endpoint)}`;
    const env = {
      ...childEnv(),
      ...s3?.env,
      CAIRN_DATABASE_URL: database,
      CAIRN_BLOBS_URL: blobs,
      CAIRN_DRAIN_SECONDS: "0",
      CAIRN_QUEUE: "100000",
      CAIRN_USER_QUEUE: "100000",
      CAIRN_TEST_EFFECTS: join(folder, "effects.log"),
      ...more,
    };
    const lost: Error[] = [];
    const store = await openClusterStore({ database, blobs, onConnectionLost: (error) => lost.push(error) });
    const bench = new ClusterBench({ folder, store, lost }, services, env);
    try {
      const start = (role: "serve" | "worker") => bench.#start(role);
      bench.servers.push(...(await Promise.all(Array.from({ length: members.servers }, () => start("serve")))));
      bench.workers.push(...(await Promise.all(Array.from({ length: members.workers }, () => start("worker")))));
      return bench;
    } catch (error) {
      await bench[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The address of a server. Different numbers give different servers. */
  address(nth: number): string {
    return this.servers[nth % this.servers.length]?.address ?? "";
  }

  /** Kills a worker without warning, as a machine failure does, and starts another one. */
  async killWorker(nth: number): Promise<void> {
    const at = nth % this.workers.length;
    const worker = this.workers[at];
    if (worker === undefined) return;
    await end(worker.child, "SIGKILL");
    this.workers[at] = await this.#start("worker");
  }

  /** Starts a new worker for each that has ended; returns the number of new workers. */
  async replaceDead(): Promise<number> {
    const dead = [...this.workers.entries()].filter(([, { child }]) => child.signalCode !== null);
    for (const [nth] of dead) await this.killWorker(nth);
    return dead.length;
  }

  /** The worker that runs a turn of the conversation now, or null. */
  async workerAt(key: ConversationKey): Promise<ChildProcess | null> {
    try {
      const { token } = await this.store.acquireLease(key, "nobody", 1);
      await this.store.releaseLease(key, token);
      return null;
    } catch (error) {
      if (!CairnError.is(error) || error.code !== "lease_held") throw error;
      const holder = String(error.details.holder);
      return this.workers.find(({ child }) => holder.endsWith(`:${child.pid}`))?.child ?? null;
    }
  }

  /** The call ids of all runs of the tool, in order. */
  async effects(): Promise<readonly string[]> {
    const text = await readFile(join(this.folder, "effects.log"), "utf8");
    return text.split("\n").filter((line) => line !== "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.servers, ...this.workers].map(({ child }) => end(child, "SIGKILL")));
    await this.store.close();
    await Promise.all([this.#services.postgres.close(), this.#services.s3?.close()]);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #start(role: "serve" | "worker"): Promise<Member> {
    const data = join(this.folder, `${role}-${++this.#started}`);
    const args = role === "serve" ? ["serve", "--no-turns", "--port", "0", "--json"] : ["worker", "--json"];
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: HERE,
      env: { ...this.#env, CAIRN_DATA_DIR: data },
      stdio: ["ignore", "pipe", process.env.CAIRN_TEST_LOG === undefined ? "ignore" : "inherit"],
    });
    const ended = once(child, "exit").then(() => null);
    const line = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
    // A process that starts without its database exits. The test starts it again, as a supervisor does.
    if (line === null) return this.#start(role);
    return { child, address: String(JSON.parse(String(line[0])).address) };
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
