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

const MODEL = fileURLToPath(new URL("model-child.ts", import.meta.url));
const CAIRN = fileURLToPath(new URL("../../packages/cli/bin/cairn.mjs", import.meta.url));
const CLOSED = "\nevent: turn.closed\n";

export interface Spread {
  readonly half: number;
  readonly most: number;
}

export interface ClusterFigures {
  readonly turnsPerSecond: number;
  /** From an event's append, by the database's clock, until a follower at another server has it. */
  readonly eventMs: Spread;
}

interface Member {
  readonly child: ChildProcess;
  readonly address: string;
}

export interface ClusterPlace {
  readonly dir: string;
  readonly database: string;
}

export class MeasuredCluster implements AsyncDisposable {
  readonly #members: readonly Member[];
  readonly #servers: readonly [string, string];

  private constructor(members: readonly Member[], servers: readonly [string, string]) {
    this.#members = members;
    this.#servers = servers;
  }

  /** Two servers that run no turns, and so many workers. */
  static async start(workers: number, { dir, database }: ClusterPlace): Promise<MeasuredCluster> {
    const model = await startModel();
    const members = [model];
    const start = async (role: "serve" | "worker"): Promise<string> => {
      const folder = join(dir, `${workers}-${members.length}`);
      const env = {
        ...{ CAIRN_DATABASE_URL: database, CAIRN_BLOBS_URL: join(dir, "blobs"), CAIRN_DATA_DIR: folder },
        ...{ CAIRN_MODEL: "anthropic:claude-sonnet-5", ANTHROPIC_BASE_URL: model.address, ANTHROPIC_API_KEY: "bench" },
        ...{ CAIRN_CONCURRENCY: "16", CAIRN_QUEUE: "100000", CAIRN_SANDBOX: "none" },
      };
      const member = await startMember(role, folder, env);
      members.push(member);
      return member.address;
    };
    try {
      const servers = [await start("serve"), await start("serve")] as const;
      for (let nth = 0; nth < workers; nth++) await start("worker");
      return new MeasuredCluster(members, servers);
    } catch (error) {
      await endAll(members);
      throw error;
    }
  }

  /** Conversations at once, each with all its messages waiting. */
  async underLoad(conversations: number, turns: number): Promise<ClusterFigures> {
    const took: number[] = [];
    const started = performance.now();
    const talks = Array.from({ length: conversations }, () => this.#converse(turns, took, false));
    await Promise.all(talks);
    const seconds = (performance.now() - started) / 1_000;
    return { turnsPerSecond: (conversations * turns) / seconds, eventMs: spreadOf(took) };
  }

  /** One conversation, one message after the other. */
  async alone(turns: number): Promise<ClusterFigures> {
    const took: number[] = [];
    const started = performance.now();
    await this.#converse(turns, took, true);
    return { turnsPerSecond: (turns * 1_000) / (performance.now() - started), eventMs: spreadOf(took) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endAll(this.#members);
  }

  async #converse(turns: number, took: number[], isOneByOne: boolean): Promise<void> {
    const [at, followedAt] = this.#servers;
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
    const closed = closings(response, took);
    for (let turn = 0; turn < turns; turn++) {
      await post(`/${id}/turns`, { message: "Hello" });
      if (isOneByOne) await closed.next();
    }
    for (let turn = 0; turn < turns && !isOneByOne; turn++) await closed.next();
    leave.abort();
  }
}

/** One step for each turn that closes; how long each event took to come is noted on the way. */
async function* closings(response: Response, took: number[]): AsyncGenerator<void> {
  let rest = "";
  if (response.body === null) throw new Error("There is no event stream.");
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const arrived = Date.now();
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const stored = /"ts":"([^"]+)"\}$/.exec(frame)?.[1];
      if (frame.startsWith("id: ") && stored !== undefined) took.push(arrived - Date.parse(stored));
      if (frame.includes(CLOSED)) yield;
    }
  }
  throw new Error("The event stream ended.");
}

function spreadOf(values: readonly number[]): Spread {
  return { half: percentile(values, 0.5), most: percentile(values, 0.95) };
}

async function startModel(): Promise<Member> {
  const child = fork(MODEL, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [message] = await once(child, "message");
  return { child, address: String(message.address) };
}

async function startMember(role: string, folder: string, env: Readonly<Record<string, string>>): Promise<Member> {
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
  return { child, address: String(JSON.parse(String(line[0])).address) };
}

async function endAll(members: readonly Member[]): Promise<void> {
  for (const { child } of members) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
}
