/**
 * The audit log: who did what, a JSON object a line, never what was said. It is only ever added to: the file is opened
 * for appending, each time anew, so that whoever rotates it may move it away.
 *
 * A line is written before its answer is sent. If it cannot be written, the answer is withheld: nobody reads what
 * nobody will know of.
 */
import { appendFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { CairnError } from "@cairn/timeline";

export interface AuditLine {
  readonly time: string;
  /** As in `x-request-id` and in the log. */
  readonly request: string;
  /** Whose conversations were meant, and how the caller was known; null where nobody was. */
  readonly tenant: string | null;
  readonly project: string | null;
  readonly user: string | null;
  readonly via: string | null;
  readonly subject: string | null;
  readonly credential: string | null;
  readonly method: string;
  /** The endpoint as the API reference writes it; null for none, or where the caller was turned away before it. */
  readonly route: string | null;
  readonly conversation: string | null;
  /** The conversation that was made. */
  readonly created: string | null;
  readonly status: number;
}

export interface AuditLog {
  /** Resolves when the line is written. */
  write(line: AuditLine): Promise<void>;
}

/** `to`: `stdout`, or a file. Throws `bad_setting` when it cannot be written to. */
export async function openAudit(to: string, stdout: Pick<Writable, "write">): Promise<AuditLog> {
  if (to === "stdout") return { write: (line) => writeTo(stdout, spell(line)) };
  const file = new AuditFile(to);
  try {
    await file.append("");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_setting", `CAIRN_AUDIT names a file that cannot be written: ${reason}.`);
  }
  return { write: (line) => file.append(spell(line)) };
}

class AuditFile {
  readonly #path: string;
  #waiting: string[] = [];
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Lines that come while others are written go together, in the next write. */
  append(line: string): Promise<void> {
    this.#waiting.push(line);
    this.#next ??= this.#last.then(() => this.#flush());
    return this.#next;
  }

  #flush(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#next = null;
    const writing = appendFile(this.#path, lines.join(""), { mode: 0o600 });
    // Whoever waits for these lines hears of a failure; the next ones are tried all the same.
    this.#last = writing.catch(() => undefined);
    return writing;
  }
}

function spell(line: AuditLine): string {
  return `${JSON.stringify(line)}\n`;
}

function writeTo(output: Pick<Writable, "write">, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
