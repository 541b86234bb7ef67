/**
 * The audit log: who did what, a JSON object a line, never what was said. It is only ever added to: the file is opened
 * for appending, each time anew, so that whoever rotates it may move it away.
 *
 * A line is written before its answer is sent. If it cannot be written, the answer is withheld: nobody reads what
 * nobody will know of.
 */
import { appendFile, open } from "node:fs/promises";
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
  /** The turn it was about, or that a message began. */
  readonly turn: string | null;
  /** The calls that were agreed to or refused, by id. */
  readonly consent: Readonly<Record<string, boolean>> | null;
  /** The conversation that was made. */
  readonly created: string | null;
  /** Of the answer; 0 for a command, whose line is written before it runs. */
  readonly status: number;
  /** Of a line that stands for several callers nobody knew: how many, within a minute of the first. */
  readonly refusals?: number;
}

export interface AuditLog {
  /** Resolves when the line is written. */
  write(line: AuditLine): Promise<void>;
}

/** `to`: `stdout`, or a file. Throws `bad_setting` when it cannot be written to. */
export async function openAudit(to: string, stdout: Pick<Writable, "write">): Promise<AuditLog> {
  if (to === "stdout") return bounded((line) => writeTo(stdout, line));
  const file = new AuditFile(to);
  try {
    await file.append("");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CairnError(
      "bad_setting",
      `CAIRN_AUDIT names a file that cannot be written: ${reason}. Correct its path or its permissions.`,
    );
  }
  return bounded((line) => file.append(line));
}

/** Lines that may wait for the disk. With more, requests fail instead of waiting, so that memory stays bounded. */
const MAX_PENDING = 10_000;

function bounded(write: (line: string) => Promise<void>): AuditLog {
  let pending = 0;
  return {
    write: async (line) => {
      if (pending >= MAX_PENDING) throw new Error(`${pending} lines of the audit log wait to be written.`);
      pending++;
      try {
        await write(spell(line));
      } finally {
        pending--;
      }
    },
  };
}

const NEWLINE = 10;

class AuditFile {
  readonly #path: string;
  /** Whether the file may end in the middle of a line: a disk was full, or a machine went down. */
  #mayBeHalf = true;
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
    const writing = this.#write(lines.join(""));
    // Whoever waits for these lines hears of a failure; the next ones are tried all the same.
    this.#last = writing.catch(() => undefined);
    return writing;
  }

  /** A line behind half of one would be read as part of it. */
  async #write(text: string): Promise<void> {
    const isHalf = this.#mayBeHalf && (await endsInLine(this.#path));
    this.#mayBeHalf = true;
    await appendFile(this.#path, isHalf ? `\n${text}` : text, { mode: 0o600 });
    this.#mayBeHalf = false;
  }
}

/** Whether a file ends in the middle of a line; one that is not there does not. */
async function endsInLine(path: string): Promise<boolean> {
  const file = await open(path, "a+", 0o600);
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return bytesRead === 1 && buffer[0] !== NEWLINE;
  } finally {
    await file.close();
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
