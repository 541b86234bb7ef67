/**
 * Takes pages apart in threads of their own, so that no page can stall or exhaust the process: a page that takes too long
 * or too much memory costs its thread, and the next one gets a new one.
 *
 * The heap of a thread has a hard limit; bytes outside the heap (what a PDF unpacks to) are watched while it works.
 */
import { Worker } from "node:worker_threads";
import { CairnError } from "@cairn/timeline/error";
import { extract } from "./extract.ts";
import type { ExtractReply } from "./extract-worker.ts";
import type { ExtractedPage, ExtractRequest } from "./page.ts";

export interface ExtractorOptions {
  /** Threads at once. */
  readonly threads?: number;
  readonly timeoutMs?: number;
  /** Megabytes one document may take. */
  readonly memoryMb?: number;
}

const WATCH_MS = 100;
const IDLE_MS = 30_000;

interface Job {
  readonly request: ExtractRequest;
  readonly signal: AbortSignal | undefined;
  readonly done: (page: ExtractedPage) => void;
  readonly fail: (error: unknown) => void;
}

export class Extractor {
  readonly #threads: number;
  readonly #timeoutMs: number;
  readonly #memoryMb: number;
  readonly #queue: Job[] = [];
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #busy = new Set<Worker>();
  #closed = false;

  constructor({ threads = 2, timeoutMs = 20_000, memoryMb = 512 }: ExtractorOptions = {}) {
    this.#threads = threads;
    this.#timeoutMs = timeoutMs;
    this.#memoryMb = memoryMb;
  }

  /** Throws `unreadable_document`, or `document_too_heavy` for what passes the limits. */
  async extract(request: ExtractRequest, signal?: AbortSignal): Promise<ExtractedPage> {
    // Plain text is only decoded, which costs less than sending it to a thread.
    if (request.kind === "text" || request.kind === "markdown") return await extract(request);
    return await new Promise((done, fail) => {
      if (this.#closed) throw new CairnError("closed", "The extractor is closed.");
      signal?.throwIfAborted();
      this.#queue.push({ request, signal, done, fail });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.fail(new CairnError("closed", "The extractor is closed."));
    const workers = [...this.#idle.keys(), ...this.#busy];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #next(): void {
    while (this.#busy.size < this.#threads) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      if (job.signal?.aborted === true) job.fail(job.signal.reason);
      else this.#run(job);
    }
  }

  #run(job: Job): void {
    const worker = this.#takeWorker();
    this.#busy.add(worker);
    let settled = false;
    const settle = (isUsable: boolean, report: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearInterval(watch);
      job.signal?.removeEventListener("abort", abort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      this.#busy.delete(worker);
      if (isUsable && !this.#closed) this.#keep(worker);
      else void worker.terminate();
      report();
      this.#next();
    };
    const giveUp = (error: unknown) => settle(false, () => job.fail(error));
    const abort = () => giveUp(job.signal?.reason);
    const timer = setTimeout(() => giveUp(tooHeavy(`takes longer than ${this.#timeoutMs / 1_000} s`)), this.#timeoutMs);
    const watch = setInterval(() => {
      void this.#memoryOf(worker).then((mb) => {
        if (mb > this.#memoryMb) giveUp(tooHeavy(`takes more than ${this.#memoryMb} MB of memory`));
      });
    }, WATCH_MS);
    const onMessage = (reply: ExtractReply) =>
      settle(true, () => (reply.ok ? job.done(reply.page) : job.fail(new CairnError(reply.code, reply.message))));
    const onError = (error: Error & { readonly code?: string }) =>
      giveUp(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? tooHeavy(`takes more than ${this.#memoryMb} MB of memory`)
          : new CairnError("unreadable_document", `The document cannot be read: ${error.message.slice(0, 200)}`),
      );
    const onExit = () => giveUp(tooHeavy("ended the thread that read it"));
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    job.signal?.addEventListener("abort", abort, { once: true });
    worker.ref();
    worker.postMessage(job.request);
  }

  #takeWorker(): Worker {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      return worker;
    }
    const worker = new Worker(new URL("./extract-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      // A document's parser has no business with what this process is told.
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdout: true,
      stderr: true,
    });
    // An idle thread, or one that was given up, may still fail: it is not used again.
    return worker.on("error", () => undefined).on("exit", () => this.#idle.delete(worker));
  }

  #keep(worker: Worker): void {
    // Neither an idle thread nor its timer keeps a process alive.
    worker.unref();
    const end = () => {
      this.#idle.delete(worker);
      void worker.terminate();
    };
    this.#idle.set(worker, setTimeout(end, IDLE_MS).unref());
  }

  /** Megabytes in the heap and beside it; 0 when the thread has just ended. */
  async #memoryOf(worker: Worker): Promise<number> {
    try {
      const { used_heap_size, external_memory } = await worker.getHeapStatistics();
      return (used_heap_size + external_memory) / 1_000_000;
    } catch {
      return 0; // It is not running any more: its exit says so.
    }
  }
}

function tooHeavy(problem: string): CairnError {
  return new CairnError("document_too_heavy", `The document ${problem}. It was not read.`);
}
