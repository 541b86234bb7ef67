/** One job of a child process that handles untrusted content: the process is killed when the job exceeds a limit. */
import { addAbortListener } from "node:events";
import type { CairnError } from "@cairn/timeline";

export interface ProcessLimits {
  /** Maximum milliseconds for one job. */
  readonly time: number;
  /** Maximum bytes of the process, on and off the JavaScript heap. */
  readonly memory: number;
}

interface LimitedProcess {
  readonly memory: number;
  /** Resolves when the process has started. The time for the job begins then, because a start may take long. */
  readonly ready: Promise<void>;
  kill(): void;
}

const MEMORY_CHECK_MS = 50;
const START_MS = 60_000;

/** `exceeds` makes the error for a limit, from words such as "it takes longer than 20 s". */
export async function runLimited<T>(
  process: LimitedProcess,
  { time, memory }: ProcessLimits,
  exceeds: (why: string) => CairnError,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (error: unknown) => {
    reject(error);
    process.kill();
  };
  using _ = signal && addAbortListener(signal, () => stop(signal.reason));
  const late = () => stop(exceeds(`it takes longer than ${time / 1_000} s`));
  let isDone = false;
  let timer = setTimeout(late, START_MS + time);
  void process.ready.then(() => {
    clearTimeout(timer);
    if (!isDone) timer = setTimeout(late, time);
  });
  const check = setInterval(() => {
    if (process.memory > memory) stop(exceeds(`it takes more than ${Math.round(memory / 2 ** 20)} MiB of memory`));
  }, MEMORY_CHECK_MS);
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    isDone = true;
    clearTimeout(timer);
    clearInterval(check);
  }
}

/** Node's flags for a process that handles untrusted content: it may read files, not write them or start programs. */
export function confinedFlags({ memory }: ProcessLimits): string[] {
  // Heap size in MB. With a smaller heap, garbage collection runs too often; a larger heap may exceed the memory limit.
  const heapMb = Math.floor((memory * 0.6) / 2 ** 20);
  return ["--permission", "--allow-fs-read=*", `--max-old-space-size=${heapMb}`, "--no-warnings"];
}
