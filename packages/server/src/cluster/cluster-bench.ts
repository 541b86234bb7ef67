/** A real cluster for tests: PostgreSQL, S3, and servers and workers as processes, each with a data folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openClusterStore } from "@cairn/store/cluster";
import { type PostgresServer, type S3Server, startPostgres, startS3Server } from "@cairn/testkit/store";

const BIN = fileURLToPath(new URL("../../../cli/bin/cairn.mjs", import.meta.url));
/** Where `cairn.config.ts` lies. */
const HERE = fileURLToPath(new URL(".", import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

interface Member {
  readonly child: ChildProcess;
  readonly address: string;
}

export class ClusterBench implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly s3: S3Server;
  readonly folder: string;
  readonly store: Awaited<ReturnType<typeof openClusterStore>>;
  readonly servers: Member[] = [];
  readonly workers: Member[] = [];
  readonly #env: Environment;
  #started = 0;

  private constructor(parts: Pick<ClusterBench, "postgres" | "s3" | "folder" | "store">, env: Environment) {
    this.postgres = parts.postgres;
    this.s3 = parts.s3;
    this.folder = parts.folder;
    this.store = parts.store;
    this.#env = env;
  }

  static async start(members: { readonly servers: number; readonly workers: number }): Promise<ClusterBench> {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3Server()]);
    const folder = await mkdtemp(join(tmpdir(), "cairn-cluster-"));
    Object.assign(process.env, s3.env);
    await s3.createBucket("cairn");
    const database = await postgres.createDatabase();
    const blobs = `s3://cairn/cluster?endpoint=${encodeURIComponent(s3.endpoint)}`;
    const env = {
      ...{ PATH: process.env.PATH, ...s3.env, CAIRN_DATABASE_URL: database, CAIRN_BLOBS_URL: blobs },
      ...{ CAIRN_DRAIN_SECONDS: "0", CAIRN_QUEUE: "100000", CAIRN_TEST_EFFECTS: join(folder, "effects.log") },
    };
    const store = await openClusterStore({ database, blobs });
    const bench = new ClusterBench({ postgres, s3, folder, store }, env);
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

  /** The address of a server, another one for each number. */
  address(nth: number): string {
    return this.servers[nth % this.servers.length]?.address ?? "";
  }

  /** Kills a worker as a failing machine would, and starts another in its place. */
  async killWorker(nth: number): Promise<void> {
    const at = nth % this.workers.length;
    const worker = this.workers[at];
    if (worker === undefined) return;
    await end(worker.child, "SIGKILL");
    this.workers[at] = await this.#start("worker");
  }

  /** The call's id of each run of the tool, in order. */
  async effects(): Promise<readonly string[]> {
    const text = await readFile(join(this.folder, "effects.log"), "utf8");
    return text.split("\n").filter((line) => line !== "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.servers, ...this.workers].map(({ child }) => end(child, "SIGKILL")));
    await this.store.close();
    await Promise.all([this.postgres.close(), this.s3.close()]);
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
    // A process that starts while the database is away says so and ends: whoever keeps it running starts it again.
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
