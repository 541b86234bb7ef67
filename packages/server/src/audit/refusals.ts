/**
 * Writes audit lines for unknown callers, and for requests beyond a user's rate. The first such request of a minute has
 * a line of its own. The others share one line at the end of the minute, because lines for each would fill the disk and
 * make all requests wait.
 */
import type { AuditLine, AuditLog } from "cairn-agent/process";

const WINDOW_MS = 60_000;

interface Counted {
  last: AuditLine;
  further: number;
}

export class Refusals {
  readonly #audit: AuditLog;
  readonly #onError: (error: unknown) => void;
  readonly #windowMs: number;
  /** Counts requests by method, status and user, so that there are only a few numbers. */
  readonly #counted = new Map<string, Counted>();

  constructor(audit: AuditLog, onError: (error: unknown) => void, windowMs = WINDOW_MS) {
    this.#audit = audit;
    this.#onError = onError;
    this.#windowMs = windowMs;
  }

  async note(line: AuditLine): Promise<void> {
    const name = JSON.stringify([line.method, line.status, line.tenant, line.project, line.user]);
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
