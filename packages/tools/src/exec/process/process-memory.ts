/**
 * What a process and everything it has started take: memory, and disk that no folder shows.
 *
 * Pages that processes share are counted for each: a program that forks without end is stopped sooner, not later. A file
 * that was removed while it is open still takes its place, and only its descriptor tells.
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

/** Of files that were removed and are still open. */
export async function treeHiddenFiles(pid: number): Promise<number> {
  if (process.platform !== "linux") return 0;
  return sum(await Promise.all((await processesOf(pid)).map((each) => hiddenFiles(`/proc/${each}/fd`))));
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

async function hiddenFiles(folder: string): Promise<number> {
  return sum(await Promise.all((await namesIn(folder)).map((name) => hiddenBytes(`${folder}/${name}`))));
}

async function hiddenBytes(descriptor: string): Promise<number> {
  try {
    if (!(await readlink(descriptor)).endsWith(" (deleted)")) return 0;
    const found = await stat(descriptor);
    return found.isFile() ? found.blocks * 512 : 0;
  } catch {
    return 0; // Closed while it was looked at.
  }
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
