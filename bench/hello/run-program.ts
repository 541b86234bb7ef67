/** Runs a hello program as a process, and measures it from outside. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface Ran {
  readonly output: string;
  /** Milliseconds from the start of the process to the first text on its standard output. */
  readonly firstTokenMs: number;
  /** Processor time of the process until its first text. */
  readonly firstTokenCpuMs: number;
  readonly megabytes: number;
}

export interface RunOptions {
  /** Folder in which the program is installed. */
  readonly folder: string;
  readonly program: string;
  /** The working directory, which is created. */
  readonly cwd: string;
  readonly baseUrl: string;
  /** Questions to ask in order; `null` kills the process at this place. */
  readonly questions: readonly (string | null)[];
}

const MAX_MS = 60_000;

/** Throws when the process ends with an error. A process that was killed reports neither processor time nor memory. */
export async function runProgram({ folder, program, cwd, baseUrl, questions }: RunOptions): Promise<Ran> {
  mkdirSync(cwd, { recursive: true });
  const started = performance.now();
  const args = ["--import", join(folder, "report-use.mjs"), join(folder, `${program}.mjs`)];
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
  const [, , , use] = child.stdio;
  if (stdout === null || stderr === null || use == null || !("read" in use))
    throw new Error("The process has no output.");
  let firstTokenMs = Number.NaN;
  stdout.once("data", () => {
    firstTokenMs = performance.now() - started;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const [output, errors, reported, { code, signal }] = await Promise.all([
    text(stdout),
    text(stderr),
    text(use),
    ended,
  ]);
  const isKilled = signal === "SIGKILL" && questions.includes(null);
  if (code !== 0 && !isKilled) throw new Error(`${program} ended with ${signal ?? code}: ${errors.trim().slice(-300)}`);
  const { cpuMs, kilobytes } = JSON.parse(reported || '{"cpuMs":0,"kilobytes":0}');
  return { output, firstTokenMs, firstTokenCpuMs: cpuMs, megabytes: kilobytes / 1_000 };
}
