/**
 * Makes a folder searchable: text, markdown, HTML and documents, indexed at the first search and updated from
 * then on, in a separate thread. The index is in the data directory, one file per folder, and any number of processes
 * may share it.
 */
import { createHash, randomUUID } from "node:crypto";
import { addAbortListener, once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { CairnError } from "@cairn/timeline/error";
import type { ListedTitles, OpenedDocument, SearchAnswer, SearchProvider } from "../search/search-provider.ts";
import { LAYOUT } from "./corpus-database.ts";
import type { CorpusIndexOptions } from "./corpus-index.ts";
import { corpusPath } from "./corpus-url.ts";
import type { CorpusCall, CorpusReply } from "./corpus-worker.ts";
import type { SyncReport } from "./sync-corpus.ts";

export interface CorpusOptions {
  readonly folder: string;
  /** Folders that do not belong to the corpus, relative to the folder; default none. */
  readonly leftOut?: readonly string[];
  /** Folder in which the index is stored. */
  readonly dataDir: string;
  /** Milliseconds between two checks of the folder; default 2,000. */
  readonly freshMs?: number;
  /** Maximum milliseconds that a search waits for new files; default 30,000. */
  readonly waitMs?: number;
}

export interface CorpusSearch extends SearchProvider {
  titles(options: { readonly signal: AbortSignal }): Promise<ListedTitles>;
  /** Updates the index, even if it was updated a moment ago. */
  sync(options?: { readonly signal?: AbortSignal }): Promise<SyncReport>;
}

type Call = CorpusCall extends infer C ? (C extends CorpusCall ? Omit<C, "id"> : never) : never;

export function corpusSearch(options: CorpusOptions): CorpusSearch {
  const thread = new CorpusThread(options);
  return {
    name: "corpus",
    search: (request, { signal }) => thread.call({ method: "search", request }, signal) as Promise<SearchAnswer>,
    open: async (url, { signal }) => {
      if (corpusPath(url) === null) return null;
      const found = (await thread.call({ method: "open", url }, signal)) as OpenedDocument | null;
      if (found === null) throw new CairnError("not_found", `The corpus has no file ${url.slice(0, 300)}.`);
      return found;
    },
    titles: ({ signal }) => thread.call({ method: "titles" }, signal) as Promise<ListedTitles>,
    sync: ({ signal } = {}) => thread.call({ method: "sync" }, signal) as Promise<SyncReport>,
    close: () => thread.close(),
  };
}

/** How long a thread may take to end; after that it is terminated. */
const END_MS = 10_000;

interface Waiting {
  readonly done: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** The thread, started when first needed and again after a failure. */
class CorpusThread {
  readonly #options: CorpusOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #calls = 0;
  #closed = false;

  constructor(options: CorpusOptions) {
    this.#options = options;
  }

  call(call: Call, signal?: AbortSignal): Promise<unknown> {
    return new Promise((done, fail) => {
      signal?.throwIfAborted();
      if (this.#closed) throw new CairnError("closed", "The corpus is closed.");
      const id = ++this.#calls;
      const settle = (report: () => void) => {
        listener?.[Symbol.dispose]();
        this.#waiting.delete(id);
        // Without pending calls, the thread does not keep the process alive.
        if (this.#waiting.size === 0) this.#worker?.unref();
        report();
      };
      this.#waiting.set(id, { done: (value) => settle(() => done(value)), fail: (error) => settle(() => fail(error)) });
      const listener = signal && addAbortListener(signal, () => settle(() => fail(signal.reason)));
      const worker = this.#start();
      worker.ref();
      worker.postMessage({ ...call, id });
    });
  }

  async close(): Promise<void> {
    if (this.#closed || this.#worker === null) {
      this.#closed = true;
      return;
    }
    const worker = this.#worker;
    const closing = this.call({ method: "close" });
    this.#closed = true;
    const exited = once(worker, "exit");
    // A thread that fails while it closes counts as closed.
    await closing.catch(() => undefined);
    worker.ref();
    // The thread ends by itself, because terminating it while it uses its database or processes is not safe.
    await Promise.race([exited, pause(END_MS, undefined, { ref: false })]);
    await worker.terminate();
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { folder, dataDir, leftOut = [], freshMs = 2_000, waitMs = 30_000 } = this.#options;
    const root = realpathSync(folder);
    const name = createHash("sha256")
      .update([root, ...leftOut].join("\n"))
      .digest("hex")
      .slice(0, 16);
    const data: CorpusIndexOptions = {
      folder: root,
      leftOut,
      file: join(dataDir, "corpus", `${name}.v${LAYOUT}.sqlite`),
      holder: randomUUID(),
      freshMs,
      waitMs,
    };
    const worker = new Worker(new URL("./corpus-worker.ts", import.meta.url), {
      workerData: data,
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    worker.on("message", (reply: CorpusReply) => {
      const waiting = this.#waiting.get(reply.id);
      if (reply.ok) waiting?.done(reply.value);
      else waiting?.fail(new CairnError(reply.code, reply.message));
    });
    worker.on("error", (error) => this.#failed(worker, error));
    worker.on("exit", () => this.#failed(worker, new Error("its worker thread has ended")));
    this.#worker = worker;
    return worker;
  }

  #failed(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = null;
    for (const waiting of [...this.#waiting.values()])
      waiting.fail(new CairnError("corpus_failed", `The corpus cannot be searched: ${error.message}`));
  }
}
