/** Runs a hello program as a process, and measures it from outside. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface Ran {
  readonly output: string;
  /** Milliseconds from the start of the process to the first text on its standard output. */
  readonly firstTokenMs: number;
  /** Largest resident memory; 0 for a process that was killed. */
  readonly megabytes: number;
}

export interface RunOptions {
  /** Folder in which the program is installed. */
  readonly folder: string;
  readonly program: string;
  /** The working directory. It is created. */
  readonly cwd: string;
  readonly baseUrl: string;
  /** Questions to ask in order; `null` kills the process at this place. */
  readonly questions: readonly (string | null)[];
}

const MAX_MS = 60_000;

/** Throws when the process ends with an error. */
export async function runProgram({ folder, program, cwd, baseUrl, questions }: RunOptions): Promise<Ran> {
  mkdirSync(cwd, { recursive: true });
  const started = performance.now();
  const args = ["--import", join(folder, "report-memory.mjs"), join(folder, `${program}.mjs`)];
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      OPENAI_API_KEY: "test",
      OPENAI_BASE_URL: baseUrl,
      HELLO_QUESTIONS: JSON.stringify(questions),
      // The program can reach only the local model.
      OPENAI_AGENTS_DISABLE_TRACING: "1",
      MASTRA_TELEMETRY_DISABLED: "1",
    },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: MAX_MS,
  });
  const { stdout, stderr } = child;
  const [, , , memory] = child.stdio;
  if (stdout === null || stderr === null || memory == null || !("read" in memory))
    throw new Error("The process has no output.");
  let firstTokenMs = Number.NaN;
  stdout.once("data", () => {
    firstTokenMs = performance.now() - started;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const [output, errors, kilobytes, { code, signal }] = await Promise.all([
    text(stdout),
    text(stderr),
    text(memory),
    ended,
  ]);
  const isKilled = signal === "SIGKILL" && questions.includes(null);
  if (code !== 0 && !isKilled) throw new Error(`${program} ended with ${signal ?? code}: ${errors.trim().slice(-300)}`);
  return { output, firstTokenMs, megabytes: Number(kilobytes) / 1_000 };
}
