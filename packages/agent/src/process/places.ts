/** A limited number of places for concurrent work, given in order of arrival. An aborted caller leaves the line. */
import { addAbortListener } from "node:events";

export class Places {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  get isUnused(): boolean {
    return this.#free === this.#count;
  }

  /** Waits for a place, which the caller must `leave`. */
  async enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    using _ =
      signal &&
      addAbortListener(signal, () => {
        const at = this.#waiting.indexOf(resolve);
        if (at === -1) return; // The job got a place before its abort was handled.
        this.#waiting.splice(at, 1);
        reject(signal.reason);
      });
    await promise;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
