/** A server in its own process that reports on its event loop, and an idle process for comparison. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../../cli/bin/cairn.mjs", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

export interface Strain {
  /** The longest time the event loop was blocked since the last report. */
  readonly delayMs: number;
  /** Maximum processor time the event loop took without a pause since the last report. */
  readonly workMs: number;
  /** Maximum memory that the process has used, in MB. */
  readonly peakMb: number;
}

const IDLE = `
const loop = require("node:perf_hooks").monitorEventLoopDelay({ resolution: 5 });
loop.enable();
process.on("message", () => { process.send({ delayMs: loop.max / 1e6, workMs: 0, peakMb: 0 }); loop.reset(); });
process.on("disconnect", () => process.exit(0));
`;

export class Victim implements AsyncDisposable {
  readonly address: string;
  readonly #folder: string;
  readonly #server: ChildProcess;
  readonly #idle: ChildProcess;

  private constructor(folder: string, server: ChildProcess, idle: ChildProcess, address: string) {
    this.#folder = folder;
    this.#server = server;
    this.#idle = idle;
    this.address = address;
  }

  /** `files`: the folder that the MCP server returns files from. */
  static async start(files: string): Promise<Victim> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-victim-"));
    const env = { ...process.env, CAIRN_DATA_DIR: folder, CAIRN_UPLOAD_MB: "80", HOSTILE_FILES: files };
    const stdio = ["ignore", "pipe", process.env.CAIRN_TEST_LOG === undefined ? "ignore" : "inherit", "ipc"] as const;
    const server = spawn(process.execPath, [BIN, "serve", "--port", "0", "--json"], {
      cwd: HERE,
      env,
      stdio: [...stdio],
    });
    const idle = spawn(process.execPath, ["-e", IDLE], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    if (server.stdout === null) throw new Error("The server has no output.");
    const [line] = await once(createInterface(server.stdout), "line");
    return new Victim(folder, server, idle, String(JSON.parse(String(line)).address));
  }

  get isAlive(): boolean {
    return this.#server.exitCode === null && this.#server.signalCode === null;
  }

  /** What the server and an idle process measured since the last report. */
  async strain(): Promise<{ readonly server: Strain; readonly idle: Strain }> {
    const [server, idle] = await Promise.all([ask(this.#server), ask(this.#idle)]);
    return { server, idle };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of [this.#server, this.#idle]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function ask(child: ChildProcess): Promise<Strain> {
  const told = once(child, "message");
  child.send("strain");
  const [strain] = await told;
  return strain as Strain;
}
