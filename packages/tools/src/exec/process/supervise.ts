/** Supervises a process: keeps its output, enforces its limits, and returns when it and its pipes are closed. */
import { type ChildProcess, spawn } from "node:child_process";
import { addAbortListener } from "node:events";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { ControlGroup } from "./control-group.ts";
import { findProgram } from "./find-program.ts";
import type { SandboxLimits } from "./limits.ts";
import { OutputTail } from "./output-tail.ts";
import type { ProcessOwner } from "./run-as.ts";
import type { RuntimeFault } from "./runtime-fault.ts";
import type { ChildStdio } from "./sealed-stdio.ts";
import { type LookAtLimits, watchLimits } from "./watch-limits.ts";

export interface SupervisedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdio: ChildStdio;
  readonly env: Readonly<Record<string, string>>;
  readonly owner: ProcessOwner | null;
  readonly limits: SandboxLimits;
  /** Folders that the process may write; the disk limits apply to all of them together. */
  readonly writable: readonly string[];
  /** Bytes for the standard input of the process, if that is a pipe. */
  readonly input?: Uint8Array;
  /** A control group that also enforces the limits of the process. */
  readonly group?: ControlGroup | null;
}

interface SuperviseOptions {
  readonly signal: AbortSignal;
  /** Receives standard output and error as they come. */
  readonly onOutput?: (chunk: Uint8Array) => void;
}

export interface SupervisedEnd {
  /** The limit that the program exceeded, or null. */
  readonly fault: RuntimeFault | null;
  readonly status: number | null;
  readonly signal: string | null;
  readonly log: string;
}

/** Bytes of output that are kept, enough for the tail in the report whatever characters it has. */
const KEPT_BYTES = 64 * 1024;
const LOOK_EVERY_MS = 50;
/** Pause between two checks, as a multiple of the duration of the last one. */
const REST = 2;
const MAX_REST_MS = 300;
/** The priority of programs, which is lower than that of the server. */
const PRIORITY = 10;

export async function supervise(
  asked: SupervisedCommand,
  { signal, onOutput }: SuperviseOptions,
): Promise<SupervisedEnd> {
  signal.throwIfAborted();
  const { limits, owner, group = null } = asked;
  const looks = await watchLimits(asked.writable, limits);
  signal.throwIfAborted();
  const [command = "", ...args] = [...firstToGo(group), asked.command, ...asked.args];
  const child = spawn(command, args, {
    cwd: "/",
    env: { ...asked.env },
    stdio: asked.stdio,
    windowsHide: true,
    ...(owner ?? {}),
  });
  const ended = Promise.withResolvers<{ status: number | null; signal: string | null }>();
  // A child can emit several errors: one because it did not start, others because it cannot be killed.
  child.on("error", ended.reject);
  child.once("close", (status, killedBy) => ended.resolve({ status, signal: killedBy }));
  let fault: RuntimeFault | null = null;
  const stop = (why: RuntimeFault | null) => {
    fault ??= why;
    killInnermost(child);
  };
  const tail = new OutputTail(KEPT_BYTES);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("error", (error) =>
      stop({ code: "sandbox_failed", message: `The output of the program could not be read: ${error.message}` }),
    );
    stream?.on("data", (chunk: Buffer) => {
      tail.push(chunk);
      onOutput?.(chunk);
      if (tail.total <= limits.outputBytes) return;
      stop({ code: "output_limit", message: `The program wrote more than ${limits.outputBytes} bytes of output.` });
      // On a busy machine the process takes a while to end; its output until then is ignored.
      for (const each of [child.stdout, child.stderr]) each?.destroy();
    });
  }
  child.stdin?.on("error", () => undefined); // The process may end before it has read its input.
  child.stdin?.end(asked.input);
  const timer = setTimeout(() => {
    stop({ code: "timeout", message: `The program took longer than ${limits.timeoutMs / 1000} s and was stopped.` });
  }, limits.timeoutMs);
  using _ = addAbortListener(signal, () => stop(null));
  const watching = new AbortController();
  if (child.pid !== undefined) {
    group?.add(child.pid);
    lowerPriority(child.pid);
    for (const look of [looks.memory, looks.held]) void watch(child.pid, look, stop, watching.signal);
  }
  try {
    const end = await ended.promise;
    signal.throwIfAborted();
    // The process may have exceeded a limit between the last check and its end.
    fault ??= (await group?.isOutOfMemory()) ? looks.tooMuchMemory : await looks.leftOnDisk();
    return { fault, ...end, log: tail.text() };
  } finally {
    clearTimeout(timer);
    watching.abort();
  }
}

/** A script that makes the system kill the program first when memory runs out, and waits for the program's group. */
const FIRST = `{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
is_in() { while read -r line; do case "$line" in 0::*"/$1") return 0;; esac; done </proc/self/cgroup; return 1; }
if [ -n "$1" ]; then tries=0; until is_in "$1"; do
  tries=$((tries + 1)); [ $tries -gt 1000 ] && exit 71; sleep 0.01
done; fi
shift; exec "$@"`;

function firstToGo(group: ControlGroup | null): readonly string[] {
  const shell = process.platform === "linux" ? findProgram("sh") : null;
  return shell === null ? [] : [shell, "-c", FIRST, "sh", group?.name ?? ""];
}

/** Checks the limits until the process has ended, and kills it if it exceeds one. */
async function watch(
  pid: number,
  look: LookAtLimits,
  stop: (fault: RuntimeFault) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let took = 0; !signal.aborted; ) {
      // A program with many files takes long to check, which must not keep the server busy.
      await pause(Math.min(MAX_REST_MS, Math.max(LOOK_EVERY_MS, took * REST)), undefined, { signal });
      const started = performance.now();
      const fault = await look(pid);
      if (fault !== null) stop(fault);
      took = performance.now() - started;
    }
  } catch (error) {
    if (!signal.aborted) stop({ code: "sandbox_failed", message: `The program could not be watched: ${error}` });
  }
}

/** Kills the program, so that a sandbox's wrapper reaps it and ends. Without the wrapper, init would have to. */
function killInnermost(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  const children = childrenOf(pid);
  for (const inner of children) kill(inner);
  if (children.length === 0) child.kill("SIGKILL");
  else setTimeout(() => child.kill("SIGKILL"), 500).unref();
}

function childrenOf(pid: number): readonly number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return listed === "" ? [] : listed.split(" ").map(Number);
  } catch {
    return []; // The process has ended, or the system has no /proc.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // The process has already ended, or the system has no priorities.
  }
}
