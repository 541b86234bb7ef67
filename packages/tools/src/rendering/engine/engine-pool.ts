/**
 * Processes that make documents. A process is kept for the next document, as starting one takes longer than most
 * documents; it is ended when nobody needed it for a while, and replaced when a document left it large.
 */
import type { DocumentSupply, RenderedDocument, RenderRequest } from "../document-renderer.ts";
import { type EngineLimits, EngineProcess } from "./engine-process.ts";

export interface EnginePoolOptions extends EngineLimits {
  /** Documents made at the same time. */
  readonly processes: number;
  /** Milliseconds until a process nobody needs is ended. */
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
      // The place this call was woken for is the next one's.
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
