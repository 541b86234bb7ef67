/** A process with all its descendants, and the kernel's data about them in /proc. Linux only. */
import { open, readdir } from "node:fs/promises";

/** Maximum number of processes that are listed, more than any limit allows. */
const MAX_PROCESSES = 5_000;
/** Bytes to read at once: so few that Node takes the buffer from its pool. */
const PIECE_BYTES = 2_000;

/** The processes, the root first. The kernel lists a child under the thread that started it. */
export async function processTree(root: number): Promise<readonly number[]> {
  const found = [root];
  for (let at = 0; at < found.length && at < MAX_PROCESSES; at++) {
    const threads = `/proc/${found[at]}/task`;
    const children = (await namesIn(threads)).map((thread) => readOrEmpty(`${threads}/${thread}/children`));
    for (const child of (await Promise.all(children)).join(" ").split(" ")) if (child !== "") found.push(Number(child));
  }
  return found;
}

/** Names of the entries in a folder of `/proc`; empty for a process that has ended. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/**
 * The text of a file of `/proc`; empty for a process that has ended. Most of these files have a few hundred bytes, and
 * a watched program is read many times a second. `readFile` would take 64 KB for each, because the kernel does not tell
 * their size.
 */
export async function readOrEmpty(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const pieces: Buffer[] = [];
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES));
      if (bytesRead === 0) return Buffer.concat(pieces).toString("utf8").trim();
      pieces.push(buffer.subarray(0, bytesRead));
    }
  } catch {
    return "";
  }
}

export function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const each of numbers) all += each;
  return all;
}
