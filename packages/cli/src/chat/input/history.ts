/** The history of sent messages, from this session and earlier ones. Its file has one JSON string per message. */
import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import { errorCode } from "@cairn/timeline";

const MAX_ENTRIES = 1_000;
/** File permission: only the user may read their messages. */
const MODE = 0o600;

export class History {
  /** Path of the history file; null after an error. Messages are then kept in memory only. */
  #file: string | null;
  #entries: string[];
  /** The position while browsing. The number of entries stands for the draft. */
  #at: number;
  #draft = "";
  #written: Promise<void> = Promise.resolve();

  readonly #onError: (error: unknown) => void;

  private constructor(file: string | null, entries: string[], onError: (error: unknown) => void) {
    this.#file = file;
    this.#onError = onError;
    this.#entries = entries;
    this.#at = entries.length;
  }

  /** Removes the oldest entries of a file that has too many. `onError` is called when it cannot be read or written. */
  static async open(file: string, onError: (error: unknown) => void): Promise<History> {
    let entries: string[] = [];
    try {
      const all = await readEntries(file);
      entries = all.slice(-MAX_ENTRIES);
      if (entries.length < all.length) await replace(file, entries.map(toLine).join(""));
      return new History(file, entries, onError);
    } catch (error) {
      onError(error);
      return new History(null, entries, onError);
    }
  }

  add(entry: string): void {
    const isNew = entry !== this.#entries.at(-1);
    if (isNew) this.#entries.push(entry);
    this.#at = this.#entries.length;
    this.#draft = "";
    if (isNew) this.#written = this.#written.then(() => this.#append(entry));
  }

  async #append(entry: string): Promise<void> {
    if (this.#file === null) return;
    try {
      await appendFile(this.#file, toLine(entry), { mode: MODE });
    } catch (error) {
      this.#file = null;
      this.#onError(error);
    }
  }

  /** The entry before (-1) or after (1) the current one; null when there is none. `text`: the edited text to keep. */
  browse(by: -1 | 1, text: string): string | null {
    const to = this.#at + by;
    if (to < 0 || to > this.#entries.length) return null;
    if (this.#at === this.#entries.length) this.#draft = text;
    this.#at = to;
    return this.#entries[to] ?? this.#draft;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#written;
  }
}

function toLine(entry: string): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Replaces the file atomically: after a crash, the file is the old or the new one. */
async function replace(file: string, text: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await rm(part, { force: true });
    await writeFile(part, text, { mode: MODE, flag: "wx", flush: true });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function readEntries(file: string): Promise<string[]> {
  try {
    return (await readFile(file, "utf8")).split("\n").flatMap(readEntry);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Leaves out a line that a crash cut off. */
function readEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}
