/**
 * Limits how many views of conversations are made for one user at the same time. A view of a conversation of 60 MB
 * takes several times as much memory while it is made: 30 at once took 4 GB.
 */
import { type Scope, scopeKey } from "@cairn/store";

const AT_ONCE = 2;

interface Line {
  going: number;
  readonly waiting: (() => void)[];
}

export class ViewPlaces {
  readonly #lines = new Map<string, Line>();

  /** Waits until the user has a free place, then does the work. Other users do not wait. */
  async use<T>(owner: Scope, work: () => Promise<T>): Promise<T> {
    const key = scopeKey(owner);
    const line = this.#lines.get(key) ?? { going: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.going < AT_ONCE) line.going++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place passes to the next request in line.
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else if (--line.going === 0) this.#lines.delete(key);
    }
  }
}
