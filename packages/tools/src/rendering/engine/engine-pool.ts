/**
 * Processes that make documents. A process is reused for the next document, because starting one takes longer than most
 * documents. It is stopped when idle for a while, and replaced when a document left it with much memory.
 */
import type { DocumentSupply, RenderedDocument, RenderRequest } from "../renderer/document-renderer.ts";
import { type EngineLimits, EngineProcess } from "./engine-process.ts";

export interface EnginePoolOptions extends EngineLimits {
  /** Number of documents made at the same time. */
  readonly processes: number;
  /** Milliseconds until an idle process is stopped. */
  readonly idle: number;
}

export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #free: EngineProcess[] = [];
  readonly #busy = new Set<EngineProcess>();
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
  }

  async render(request: RenderRequest, supply: DocumentSupply, signal: AbortSignal): Promise<RenderedDocument> {
    const engine = await this.#take(signal);
    try {
      return await engine.render(request, supply, signal);
    } finally {
      this.#giveBack(engine);
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const engine of [...this.#free.splice(0), ...this.#busy]) engine.kill();
  }

  async #take(signal: AbortSignal): Promise<EngineProcess> {
    while (this.#busy.size >= this.#options.processes) await this.#turn(signal);
    if (signal.aborted) {
      // The slot for which this call was woken goes to the next in line.
      this.#waiting.shift()?.();
      signal.throwIfAborted();
    }
    let engine = this.#free.pop();
    while (engine !== undefined && !engine.isAlive) engine = this.#free.pop();
    engine ??= new EngineProcess(this.#options);
    this.#busy.add(engine);
    return engine;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(resolve);
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      const at = this.#waiting.indexOf(resolve);
      if (at !== -1) this.#waiting.splice(at, 1);
    }
  }

  #giveBack(engine: EngineProcess): void {
    this.#busy.delete(engine);
    if (engine.isAlive && engine.memory < this.#options.memory / 2) this.#free.push(engine);
    else engine.kill();
    this.#waiting.shift()?.();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const idle of this.#free.splice(0)) idle.kill();
    }, this.#options.idle);
    this.#timer.unref();
  }
}
