/**
 * A temporary folder for a test, in which it runs `cairn` as a process or, if that is enough, inside the test's
 * process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { childEnv } from "@cairn/testkit/child-env";
import { runCommand } from "../src/run-command.ts";

export const BIN = fileURLToPath(new URL("../bin/cairn.mjs", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments for Node itself. */
  readonly node?: readonly string[];
  /** Called as soon as the process exists. */
  readonly onSpawn?: (child: ChildProcess) => void;
  /** Called with the whole standard error so far, each time that it grows. */
  readonly onProgress?: (stderr: string, child: ChildProcess) => void;
}

export class CliBench implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<CliBench> {
    return new CliBench(await realpath(await mkdtemp(join(tmpdir(), "cairn-cli-"))));
  }

  /** Makes a bench in an existing folder. */
  static in(folder: string): CliBench {
    return new CliBench(folder);
  }

  /** Writes a file into the folder; returns its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  /** Starts the command as a process. */
  spawn(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const { input = "", env = {}, node = [], onSpawn, onProgress } = options;
    const child = spawn(process.execPath, [...node, BIN, ...args], {
      cwd: this.folder,
      env: { ...childEnv(), HOME: this.folder, ...env },
      stdio: "pipe",
    });
    onSpawn?.(child);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      onProgress?.(stderr, child);
    });
    // A killed process does not read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  }

  /** Runs the command in this process. */
  async run(args: readonly string[], options: Pick<RunOptions, "input" | "env"> = {}): Promise<Ran> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const texts = [stdout, stderr].map((stream) => stream.setEncoding("utf8").toArray());
    const stdin = Readable.from([Buffer.from(options.input ?? "")]);
    const code = await runCommand(args, { stdin, stdout, stderr, env: options.env ?? {}, cwd: this.folder });
    stdout.end();
    stderr.end();
    const [out = [], err = []] = await Promise.all(texts);
    return { code, signal: null, stdout: out.join(""), stderr: err.join("") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The packages' location, for a configuration in a test's folder without node_modules. */
export const AGENT = import.meta.resolve("@cairn/agent");
export const ZOD = import.meta.resolve("zod");
