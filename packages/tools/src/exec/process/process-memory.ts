/**
 * What a process and everything it has started take: memory, and disk that no folder shows.
 *
 * Pages that processes share are counted for each: a program that forks without end is stopped sooner, not later. A file
 * that was removed while it is open still takes its place, and what waits in a socket is memory of the kernel: only their
 * descriptors tell. A socket counts as what it can hold.
 *
 * Linux tells through /proc; elsewhere `ps` is asked about the one process. Zero when nobody can tell.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { promisify } from "node:util";

const PAGE_BYTES = 4_096;
/** More processes than any limit allows. */
const MOST = 5_000;

export async function treeMemory(pid: number): Promise<number> {
  if (process.platform === "linux") {
    const memory = (await processesOf(pid)).map((each) => readOrEmpty(`/proc/${each}/statm`));
    return sum((await Promise.all(memory)).map((statm) => Number(statm.split(" ")[1] ?? 0) * PAGE_BYTES));
  }
  return process.platform === "win32" ? 0 : await askPs(pid);
}

export interface HeldByDescriptors {
  /** Of files that were removed and are still open. */
  readonly diskBytes: number;
  readonly socketBytes: number;
}

export async function treeDescriptors(pid: number): Promise<HeldByDescriptors> {
  if (process.platform !== "linux") return { diskBytes: 0, socketBytes: 0 };
  const folders = (await processesOf(pid)).map((each) => `/proc/${each}/fd`);
  const held = (await Promise.all(folders.map(lookAtDescriptors))).flat();
  const sockets = new Set(held.flatMap(({ socket }) => (socket === null ? [] : [socket])));
  return { diskBytes: sum(held.map(({ bytes }) => bytes)), socketBytes: sockets.size * (await mostInSocket()) };
}

/** A process and all it has started: a child belongs to the thread that made it. */
async function processesOf(root: number): Promise<readonly number[]> {
  const found = [root];
  for (let at = 0; at < found.length && at < MOST; at++) {
    const threads = `/proc/${found[at]}/task`;
    const children = (await namesIn(threads)).map((thread) => readOrEmpty(`${threads}/${thread}/children`));
    for (const child of (await Promise.all(children)).join(" ").split(" ")) if (child !== "") found.push(Number(child));
  }
  return found;
}

interface Held {
  /** Of a file that no folder shows. */
  readonly bytes: number;
  /** Which socket it is; forks share them. */
  readonly socket: string | null;
}

const NOTHING: Held = { bytes: 0, socket: null };

async function lookAtDescriptors(folder: string): Promise<readonly Held[]> {
  return Promise.all((await namesIn(folder)).map((name) => lookAtDescriptor(`${folder}/${name}`)));
}

async function lookAtDescriptor(descriptor: string): Promise<Held> {
  try {
    const place = await readlink(descriptor);
    if (place.startsWith("socket:")) return { bytes: 0, socket: place };
    if (!place.endsWith(" (deleted)")) return NOTHING;
    const found = await stat(descriptor);
    return found.isFile() ? { bytes: found.blocks * 512, socket: null } : NOTHING;
  } catch {
    return NOTHING; // Closed while it was looked at.
  }
}

const USUAL_SOCKET_BYTES = 212_992;

async function mostInSocket(): Promise<number> {
  return Number(await readOrEmpty("/proc/sys/net/core/wmem_max")) || USUAL_SOCKET_BYTES;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** A process may end while it is looked at. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return ""; // It has ended meanwhile.
  }
}

const run = promisify(execFile);

async function askPs(pid: number): Promise<number> {
  try {
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
    return Number(stdout.trim() || 0) * 1_024;
  } catch {
    return 0; // It has ended.
  }
}
