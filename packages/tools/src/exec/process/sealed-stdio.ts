/**
 * The descriptors of a child process: no input, pipes for its output, and nothing else.
 *
 * Node does not pass its own files to children, but it does pass on descriptors that it inherited itself. An inherited
 * descriptor could be a socket, a lock or a log, so each is replaced with /dev/null.
 */
import { openSync, readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC in the flags line of `/proc/self/fdinfo`. */
const CLOSE_ON_EXEC = 0o2000000;
/** Maximum number of descriptors that are considered. */
const MAX_DESCRIPTOR = 4_096;

export type ChildStdio = ("ignore" | "pipe" | number)[];

/** `input` and `extra` are descriptors that the child gets as 0 and as 3, 4…; without input it reads nothing. */
export function sealedStdio(options: { input?: "pipe"; extra?: readonly number[] } = {}): ChildStdio {
  const stdio: ChildStdio = [options.input ?? "ignore", "pipe", "pipe", ...(options.extra ?? [])];
  const own = stdio.length;
  for (const descriptor of inherited()) {
    if (descriptor < own || descriptor > MAX_DESCRIPTOR) continue;
    while (stdio.length < descriptor) stdio.push("ignore");
    stdio[descriptor] = devNull();
  }
  return stdio;
}

function inherited(): readonly number[] {
  if (process.platform !== "linux") return [];
  const found: number[] = [];
  for (const name of readdirSync("/proc/self/fdinfo")) {
    const flags = readFlags(name);
    if (flags !== null && (flags & CLOSE_ON_EXEC) === 0) found.push(Number(name));
  }
  return found.filter((descriptor) => descriptor > 2);
}

function readFlags(name: string): number | null {
  try {
    const line = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"));
    return line?.[1] === undefined ? null : Number.parseInt(line[1], 8);
  } catch {
    return null; // The descriptor was closed meanwhile: it belonged to the listing of the folder itself.
  }
}

let nullDevice: number | null = null;

function devNull(): number {
  nullDevice ??= openSync("/dev/null", "r+");
  return nullDevice;
}
