/**
 * A real PostgreSQL for tests, from the binaries of an npm package, in a temporary folder and on a port of its own.
 *
 * PostgreSQL refuses to run as root. Root therefore starts PostgreSQL in a user namespace as another user, so that
 * PostgreSQL needs neither an account nor wider permissions on the project's folders. The server is a child of this
 * process.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { scratch } from "../../scratch.ts";
import { freePort } from "./free-port.ts";
import { type Binaries, findBinaries } from "./postgres-binaries.ts";

const run = promisify(execFile);
const READY_MS = 60_000;

export interface PostgresServer {
  /** `postgres://…` of a database that `createDatabase` made. */
  url(database: string): string;
  /** An empty database, or a copy of another, given by its URL, that has no connections. */
  createDatabase(template?: string): Promise<string>;
  /** Ends the server as a crash of the machine would. */
  kill(): Promise<void>;
  /** Ends the server as an operator would: connections are closed and nothing is lost. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and removes its data. */
  close(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Whether a commit waits for the disk, as in production; false for tests about something else. */
  readonly sync?: boolean;
}

export async function startPostgres({ sync = true }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const binaries = await findBinaries();
  const folder = await mkdtemp(join(scratch, "cairn-postgres-"));
  const server = new LocalServer(binaries, folder, await freePort(), sync);
  try {
    await server.make();
    await server.start();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

class LocalServer implements PostgresServer {
  readonly #binaries: Binaries;
  readonly #folder: string;
  readonly #port: number;
  readonly #sync: boolean;
  #process: ChildProcess | null = null;
  /** The error with which the server could not be started or ended. */
  #failure: Error | null = null;
  #databases = 0;

  constructor(binaries: Binaries, folder: string, port: number, sync: boolean) {
    this.#sync = sync;
    this.#binaries = binaries;
    this.#folder = folder;
    this.#port = port;
  }

  url(database: string): string {
    return `postgres://cairn@127.0.0.1:${this.#port}/${database}`;
  }

  /** The first server of a test run initialises the data; the others start from a copy, which takes a tenth of the time. */
  async make(): Promise<void> {
    if (process.env.CAIRN_SCRATCH === undefined) return this.#initialise(this.#data());
    const template = join(scratch, "cairn-postgres-template");
    if (!existsSync(template)) {
      const made = join(this.#folder, "template");
      await this.#initialise(made);
      // Another process may have initialised the data first.
      await rename(made, template).catch((error) => {
        if (!existsSync(template)) throw error;
      });
    }
    await run("cp", ["-Rp", template, this.#data()]);
  }

  async #initialise(folder: string): Promise<void> {
    const options = ["-D", folder, "-U", "cairn", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    const [command, args] = asSomebodyElse(this.#binaries.initdb, options);
    await run(command, args);
  }

  async start(): Promise<void> {
    if (this.#process !== null) return;
    const settings = {
      port: String(this.#port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      fsync: this.#sync ? "on" : "off",
      synchronous_commit: this.#sync ? "on" : "off",
      shared_buffers: "64MB",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const [command, args] = asSomebodyElse(this.#binaries.postgres, ["-D", this.#data(), ...flags]);
    this.#process = this.#spawn(command, args);
    const deadline = Date.now() + READY_MS;
    while (!(await this.#answers())) {
      if (this.#failure !== null) throw this.#failure;
      if (Date.now() > deadline) throw new Error("PostgreSQL does not answer.");
      // The start is repeated, because a new server refuses to start while children of the killed one live.
      if (this.#process.exitCode !== null) this.#process = this.#spawn(command, args);
      await sleep(50);
    }
  }

  async createDatabase(template?: string): Promise<string> {
    const name = `cairn_${++this.#databases}`;
    const copied = template === undefined ? "" : `TEMPLATE ${new URL(template).pathname.slice(1)} STRATEGY FILE_COPY`;
    const client = await this.#makeClient();
    try {
      await client.connect();
      await client.query(`CREATE DATABASE ${name} ${copied}`);
    } finally {
      await client.end();
    }
    return this.url(name);
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  stop(): Promise<void> {
    return this.#end("SIGINT");
  }

  async close(): Promise<void> {
    await this.#end("SIGINT");
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The driver is loaded only if there is a server. */
  async #makeClient() {
    const { makeClient, warnOfLoss } = await import("@cairn/store/postgres");
    return makeClient({ connectionString: this.url("postgres") }, warnOfLoss);
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(command, args, { stdio: "ignore" });
    child.on("error", (error) => {
      this.#failure ??= error;
    });
    return child;
  }

  #data(): string {
    return join(this.#folder, "data");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = null;
    const isRunning = child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (child === null || !isRunning) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  /** The server is ready when it reports more than that it is starting. */
  async #answers(): Promise<boolean> {
    if (!(await isListening(this.#port))) return false;
    const client = await this.#makeClient();
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

function asSomebodyElse(command: string, args: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, [...args]];
  return ["unshare", ["--user", "--map-user=1000", "--map-group=1000", command, ...args]];
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}
