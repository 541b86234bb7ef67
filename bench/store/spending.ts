/** Adds up the time and the written bytes of measured work, leaving out whatever happens in between. */
import { readFileSync } from "node:fs";

export class Spending {
  #ms = 0;
  #bytes = 0;

  async on(work: () => Promise<unknown> | unknown): Promise<void> {
    const bytes = bytesWritten();
    const start = performance.now();
    await work();
    this.#ms += performance.now() - start;
    this.#bytes += bytesWritten() - bytes;
  }

  per(units: number): { readonly ms: number; readonly bytes: number } {
    return { ms: this.#ms / units, bytes: this.#bytes / units };
  }
}

/**
 * Bytes this process has handed to write calls; not a number where the kernel does not count them. The kernel's other
 * figure, `write_bytes`, counts a whole large folio for a page written into it, many times what reaches the disk.
 */
function bytesWritten(): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  } catch {
    return Number.NaN;
  }
}

export async function timeOf(work: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function medianOf(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}

/** The tenth percentile: other processes on the machine only ever make a run slower. */
export function undisturbed(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 10)] ?? Number.NaN;
}

export async function medianTime(times: number, work: () => Promise<unknown> | unknown): Promise<number> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) all.push(await timeOf(work));
  return medianOf(all);
}
