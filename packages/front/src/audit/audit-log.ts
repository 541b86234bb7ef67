/**
 * The audit log of requests and commands: one JSON object per line, without the content of conversations. Lines are
 * only appended. The file is opened for each write, so that log rotation may rename the file at any time.
 *
 * A line is written before its response is sent. If it cannot be written, the response is withheld, so that no access
 * goes unrecorded.
 */
import { appendFile, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { CairnError } from "@cairn/timeline";

export interface AuditLine {
  readonly time: string;
  /** The same id as in `x-request-id` and in the log. */
  readonly request: string;
  /** The scope that was accessed, and how the caller was authenticated; null for unknown callers. */
  readonly tenant: string | null;
  readonly project: string | null;
  readonly user: string | null;
  readonly via: string | null;
  readonly subject: string | null;
  readonly credential: string | null;
  readonly method: string;
  /** The endpoint as the API reference writes it; null for none, or if the caller was rejected before. */
  readonly route: string | null;
  readonly conversation: string | null;
  /** The turn that the request concerns, or that a message began. */
  readonly turn: string | null;
  /** The ids of the calls that were approved or refused. */
  readonly consent: Readonly<Record<string, boolean>> | null;
  /** The conversation that was created. */
  readonly created: string | null;
  /** Status of the response; 0 for a command, whose line is written before it runs. */
  readonly status: number;
  /** The number of callers within one minute, in a line that stands for several unknown callers. */
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

/** Maximum lines that wait for the disk. With more, requests fail instead of waiting, so that memory stays bounded. */
const MAX_PENDING = 10_000;

function bounded(write: (line: string) => Promise<void>): AuditLog {
  let pending = 0;
  return {
    write: async (line) => {
      if (pending >= MAX_PENDING)
        throw new Error(
          `${pending} lines of the audit log are waiting to be written, which is the limit. Check the disk of the log.`,
        );
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
  /** Whether the file may end in the middle of a line, after a full disk or a crash. */
  #mayBeHalf = true;
  #waiting: string[] = [];
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Lines that arrive during a write are joined in the next write. */
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
    // The callers whose lines these are get the error. A later write does not include these lines.
    this.#last = writing.catch(() => undefined);
    return writing;
  }

  /** A line after an incomplete line would be read as its continuation. */
  async #write(text: string): Promise<void> {
    const isHalf = this.#mayBeHalf && (await endsInLine(this.#path));
    this.#mayBeHalf = true;
    await appendFile(this.#path, isHalf ? `\n${text}` : text, { mode: 0o600 });
    this.#mayBeHalf = false;
  }
}

/** Whether a file ends in the middle of a line; false for a missing file. */
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
