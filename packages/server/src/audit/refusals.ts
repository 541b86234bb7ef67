/**
 * Counts unknown callers: the first of a minute gets a line, and the others share one at the end of the minute.
 * Otherwise callers without a token could fill the disk and slow down every request.
 */
import type { AuditLine, AuditLog } from "./audit-log.ts";

const WINDOW_MS = 60_000;

interface Counted {
  last: AuditLine;
  further: number;
}

export class Refusals {
  readonly #audit: AuditLog;
  readonly #onError: (error: unknown) => void;
  readonly #windowMs: number;
  /** By method and status, so that there are only a few. */
  readonly #counted = new Map<string, Counted>();

  constructor(audit: AuditLog, onError: (error: unknown) => void, windowMs = WINDOW_MS) {
    this.#audit = audit;
    this.#onError = onError;
    this.#windowMs = windowMs;
  }

  async note(line: AuditLine): Promise<void> {
    const name = `${line.method} ${line.status}`;
    const counted = this.#counted.get(name);
    if (counted !== undefined) {
      counted.last = line;
      counted.further++;
      return;
    }
    this.#counted.set(name, { last: line, further: 0 });
    setTimeout(() => this.#close(name), this.#windowMs).unref();
    await this.#audit.write(line);
  }

  #close(name: string): void {
    const counted = this.#counted.get(name);
    this.#counted.delete(name);
    if (counted === undefined || counted.further === 0) return;
    this.#audit.write({ ...counted.last, refusals: counted.further }).catch(this.#onError);
  }
}
