/**
 * `cairn serve` and `cairn worker` as processes over one PostgreSQL, with a provider that answers at once; and turns sent
 * to one server and followed at another.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { percentile } from "../server/server-result.ts";
import { Closings } from "./closings.ts";
import { cpuOf, cpuOfPostgres } from "./cpu-time.ts";

const MODEL = fileURLToPath(new URL("model-child.ts", import.meta.url));
const CAIRN = fileURLToPath(new URL("../../packages/cli/bin/cairn.mjs", import.meta.url));

export interface Spread {
  readonly half: number;
  readonly most: number;
}

export interface ClusterFigures {
  readonly turnsPerSecond: number;
  /**
   * Milliseconds from the append of an event, by the database's clock, until a follower at another server has received
   * it.
   */
  readonly eventMs: Spread;
  /** Milliseconds for which a turn keeps a core busy, in all processes together and in each kind of process. */
  readonly cpuMs: { readonly workers: number; readonly servers: number; readonly database: number };
}

interface Member {
  readonly role: "model" | "serve" | "worker";
  readonly child: ChildProcess;
  readonly address: string;
}

export interface ClusterPlace {
  readonly dir: string;
  readonly database: string;
}

export class MeasuredCluster implements AsyncDisposable {
  readonly #members: readonly Member[];
  readonly #database: string;

  private constructor(members: readonly Member[], database: string) {
    this.#members = members;
    this.#database = database;
  }

  /** Starts two servers that run no turns, and this many workers. */
  static async start(workers: number, { dir, database }: ClusterPlace): Promise<MeasuredCluster> {
    const model = await startModel();
    const members = [model];
    try {
      for (const role of ["serve", "serve", ...Array<"worker">(workers).fill("worker")] as const) {
        const folder = join(dir, `${workers}-${members.length}`);
        const env = {
          CAIRN_DATABASE_URL: database,
          CAIRN_BLOBS_URL: join(dir, "blobs"),
          CAIRN_DATA_DIR: folder,
          CAIRN_MODEL: "anthropic:claude-sonnet-5",
          ANTHROPIC_BASE_URL: model.address,
          ANTHROPIC_API_KEY: "bench",
          CAIRN_CONCURRENCY: "16",
          CAIRN_QUEUE: "100000",
          CAIRN_SANDBOX: "none",
          // The limits of one user are off, because one user makes all turns.
          CAIRN_USER_QUEUE: "100000",
          CAIRN_USER_SHARE: "100",
          CAIRN_TENANT_SHARE: "100",
        };
        members.push(await startMember(role, folder, env));
      }
      return new MeasuredCluster(members, database);
    } catch (error) {
      await endAll(members);
      throw error;
    }
  }

  /** Number of concurrent conversations, each with all its messages waiting. */
  async underLoad(conversations: number, turns: number): Promise<ClusterFigures> {
    const talks = await Promise.all(Array.from({ length: conversations }, () => this.#open()));
    // The first turn of each conversation is not counted: followers connect, titles are made, and programs are loaded
    // during it.
    await Promise.all(talks.map((talk) => talk.say(1)));
    const figures = await this.#measure(talks, conversations * turns, () => talks.map((talk) => talk.say(turns)));
    for (const talk of talks) talk.leave();
    return figures;
  }

  /** Measures one conversation that sends one message after the other. */
  async alone(turns: number): Promise<ClusterFigures> {
    const talk = await this.#open();
    await talk.say(1);
    const figures = await this.#measure([talk], turns, async () => {
      for (let turn = 0; turn < turns; turn++) await talk.say(1);
    });
    talk.leave();
    return figures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endAll(this.#members);
  }

  async #measure(
    talks: readonly Talk[],
    turns: number,
    work: () => Promise<void> | readonly Promise<void>[],
  ): Promise<ClusterFigures> {
    for (const talk of talks) talk.took.length = 0;
    const before = await this.#cpu();
    const started = performance.now();
    const working = work();
    await (working instanceof Promise ? working : Promise.all(working));
    const seconds = (performance.now() - started) / 1_000;
    const after = await this.#cpu();
    const took = talks.flatMap((talk) => talk.took);
    return {
      turnsPerSecond: turns / seconds,
      eventMs: { half: percentile(took, 0.5), most: percentile(took, 0.95) },
      cpuMs: {
        workers: (after.workers - before.workers) / turns,
        servers: (after.servers - before.servers) / turns,
        database: (after.database - before.database) / turns,
      },
    };
  }

  async #cpu() {
    const of = (wanted: Member["role"]) =>
      cpuOf(this.#members.flatMap(({ role, child }) => (role === wanted ? [child.pid ?? 0] : [])));
    return { workers: of("worker"), servers: of("serve"), database: await cpuOfPostgres(this.#database) };
  }

  /** A conversation at one server, followed at another. */
  async #open(): Promise<Talk> {
    const [at, followedAt] = this.#members.flatMap(({ role, address }) => (role === "serve" ? [address] : []));
    const post = async (path: string, body: object) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const response = await fetch(`${at}/api/conversations${path}`, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`);
      return JSON.parse(text);
    };
    const { conversation_id: id } = await post("", {});
    const leave = new AbortController();
    const response = await fetch(`${followedAt}/api/conversations/${id}/events`, { signal: leave.signal });
    const took: number[] = [];
    const closed = new Closings(response, took);
    return {
      took,
      leave: () => leave.abort(),
      say: async (turns) => {
        for (let turn = 0; turn < turns; turn++) await post(`/${id}/turns`, { message: "Hello" });
        for (let turn = 0; turn < turns; turn++) await closed.next();
      },
    };
  }
}

interface Talk {
  /** Milliseconds that events took to arrive. */
  readonly took: number[];
  /** Sends this many messages and waits until all are answered. */
  readonly say: (turns: number) => Promise<void>;
  readonly leave: () => void;
}

async function startModel(): Promise<Member> {
  const child = fork(MODEL, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.on("error", (error) => console.error(`${error.message} (pid ${child.pid})`));
  const ended = once(child, "exit").then(([code, signal]) => Promise.reject(new Error(`It ended: ${code ?? signal}`)));
  const [message] = await Promise.race([once(child, "message"), ended]);
  return { role: "model", child, address: String(message.address) };
}

async function startMember(
  role: "serve" | "worker",
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Member> {
  await mkdir(folder, { recursive: true });
  const args = role === "serve" ? ["serve", "--no-turns", "--port", "0", "--json"] : ["worker", "--json"];
  const child = spawn(process.execPath, [CAIRN, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit").then(() => null);
  const line = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  if (line === null) throw new Error(`cairn ${role} ended before it was ready.`);
  return { role, child, address: String(JSON.parse(String(line[0])).address) };
}

async function endAll(members: readonly Member[]): Promise<void> {
  for (const { child } of members) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
}
