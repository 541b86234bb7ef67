/**
 * What a child inherits: no input, pipes for what it writes, and nothing else.
 *
 * Node opens its own files so that children do not get them, but what it was itself started with it passes on. Such a
 * descriptor could be anything: a socket, a lock, a log. Each is covered with /dev/null at its own number.
 */
import { openSync, readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC in the flags line of `/proc/self/fdinfo`. */
const CLOSE_ON_EXEC = 0o2000000;
/** Beyond this a list of descriptors would be larger than any process has. */
const HIGHEST = 4_096;

export type ChildStdio = ("ignore" | "pipe" | number)[];

/** `input` and `extra` are descriptors the child gets as 0 and as 3, 4…; without input it reads nothing. */
export function sealedStdio(options: { input?: "pipe"; extra?: readonly number[] } = {}): ChildStdio {
  const stdio: ChildStdio = [options.input ?? "ignore", "pipe", "pipe", ...(options.extra ?? [])];
  const own = stdio.length;
  for (const descriptor of inherited()) {
    if (descriptor < own || descriptor > HIGHEST) continue;
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
    return null; // Closed meanwhile: the one the folder was read with.
  }
}

let nullDevice: number | null = null;

function devNull(): number {
  nullDevice ??= openSync("/dev/null", "r+");
  return nullDevice;
}
