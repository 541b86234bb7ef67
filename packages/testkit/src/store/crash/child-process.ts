/**
 * A child that runs one of the scripts beside this file, configured by a JSON argument, and reports on its standard
 * output, one JSON value or `ack` line at a time. The process is always a direct child, and its end is always awaited.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ChildOptions {
  /** Runs the child under another command, such as `strace -o file`. */
  readonly under?: readonly string[];
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly onLine?: (line: string, child: ChildProcess) => void;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
  readonly stderr: string;
}

export interface RunningChild {
  readonly process: ChildProcess;
  /** All lines that the process has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when the child has ended and its last line is read. */
  readonly exited: Promise<ChildExit>;
}

export function startChild(script: URL, order: unknown, options: ChildOptions = {}): RunningChild {
  const node = [process.execPath, "--no-warnings", ...(options.nodeArgs ?? []), script.pathname, JSON.stringify(order)];
  const [command = process.execPath, ...args] = [...(options.under ?? []), ...node];
  // Without coverage, compiled code is cached between runs: a child that starts in a third of the time can be killed
  // three times as often.
  const { NODE_V8_COVERAGE: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_COMPILE_CACHE: join(tmpdir(), "cairn-compile-cache"), UV_USE_IO_URING: "0" };
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  // Writing to a process that was killed fails. The error is expected.
  child.stdin.on("error", () => {});
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    lines.push(line);
    options.onLine?.(line, child);
  });
  const exited = new Promise<ChildExit>((resolve, reject) => {
    child.on("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, lines, stderr }));
  });
  return { process: child, lines, exited };
}

/** Runs a child to its end; throws the child's output unless it exits cleanly. */
export async function runChild(script: URL, order: unknown, options: ChildOptions = {}): Promise<string[]> {
  const { code, signal, lines, stderr } = await startChild(script, order, options).exited;
  if (code !== 0) throw new Error(`The child ended with ${signal ?? code}: ${stderr}`);
  return [...lines];
}

/** The first line of the child that `test` accepts; throws if the child ends without such a line. */
export async function lineOf(child: RunningChild, test: (line: string) => boolean): Promise<string> {
  for (;;) {
    const line = child.lines.find(test);
    if (line !== undefined) return line;
    const ended = await Promise.race([child.exited, new Promise<null>((wake) => setTimeout(wake, 5, null))]);
    const last = child.lines.find(test);
    if (ended !== null && last === undefined) throw new Error(`The child ended early: ${ended.stderr}`);
  }
}
