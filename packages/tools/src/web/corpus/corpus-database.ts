/** The index of a corpus: one SQLite file for any number of processes. A missing or damaged file is rebuilt. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { indexedText } from "./corpus-words.ts";

export interface IndexedFile {
  readonly id: number;
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly hash: string;
  /** Whether the file's timestamp was too recent to tell whether the file would change again. */
  readonly unsure: boolean;
  readonly problem: string | null;
}

export interface FileToIndex extends Omit<IndexedFile, "id"> {
  readonly title: string | null;
  readonly author: string | null;
  readonly published: string | null;
  readonly passages: readonly string[];
}

export interface FoundPassage {
  readonly file: number;
  readonly nth: number;
}

export interface FoundFile {
  readonly id: number;
  readonly path: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly published: string | null;
  readonly mtime: number;
  readonly chars: number;
}

/** Part of the file's name: a new layout, or another way to read files, uses a new file. */
export const LAYOUT = 3;

/** Result codes of SQLite. */
const [BUSY, CORRUPT, NOT_A_DATABASE] = [5, 11, 26];
const OPEN_ATTEMPTS = 100;
const OPEN_PAUSE_MS = 50;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL, hash TEXT NOT NULL,
    unsure INTEGER NOT NULL, problem TEXT, title TEXT, author TEXT, published TEXT, chars INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, nth INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (file, nth)
  ) STRICT;
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    title, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
  );
  CREATE TABLE IF NOT EXISTS lease (one INTEGER PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, until REAL NOT NULL) STRICT;
`;

/** A word in a title counts as much as four in the text. */
const RANK = "bm25(4.0, 1.0)";

export class CorpusDatabase {
  readonly #file: string;
  #db: DatabaseSync;

  private constructor(file: string, db: DatabaseSync) {
    this.#file = file;
    this.#db = db;
  }

  static open(file: string): CorpusDatabase {
    mkdirSync(dirname(file), { recursive: true });
    return new CorpusDatabase(
      file,
      openOrBeginAnew(file, () => true),
    );
  }

  /** Starts a new file after a call that failed because of damage (`isDamaged`), unless another process already has. */
  renew(): void {
    this.close();
    this.#db = openOrBeginAnew(this.#file, isSound);
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  files(): IndexedFile[] {
    const rows = this.#db.prepare("SELECT id, path, size, mtime, hash, unsure, problem FROM files").all();
    return rows.map((row) => ({ ...row, unsure: row.unsure === 1 }) as unknown as IndexedFile);
  }

  /** Runs `work` as one transaction, waiting for other writers. */
  write(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Replaces the entry at the path. */
  put(file: FileToIndex): void {
    this.remove(file.path);
    const chars = file.passages.reduce((sum, passage) => sum + passage.length, 0);
    const { lastInsertRowid: id } = this.#db
      .prepare(
        "INSERT INTO files (path, size, mtime, hash, unsure, problem, title, author, published, chars) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        file.path,
        file.size,
        file.mtime,
        file.hash,
        file.unsure ? 1 : 0,
        file.problem,
        file.title,
        file.author,
        file.published,
        chars,
      );
    const passage = this.#db.prepare("INSERT INTO passages (file, nth, text) VALUES (?, ?, ?)");
    const passages = file.passages.map((text, nth) => ({ id: passage.run(id, nth, text).lastInsertRowid, text }));
    this.#indexWords(file, passages);
  }

  /** Updates the name and time of a file whose content is unchanged. */
  touch(
    id: number,
    file: { readonly path: string; readonly size: number; readonly mtime: number; readonly unsure: boolean },
  ): void {
    const holder = this.#db.prepare("SELECT id FROM files WHERE path = ?").get(file.path);
    if (holder !== undefined && Number(holder.id) !== id) this.remove(file.path);
    const before = this.#db.prepare("SELECT path, title FROM files WHERE id = ?").get(id);
    this.#db
      .prepare("UPDATE files SET path = ?, size = ?, mtime = ?, unsure = ? WHERE id = ?")
      .run(file.path, file.size, file.mtime, file.unsure ? 1 : 0, id);
    if (before === undefined || before.path === file.path) return;
    // The words are indexed again, because they include those of the file's name.
    this.#forgetWords(id);
    const passages = this.#db.prepare("SELECT id, text FROM passages WHERE file = ?").all(id);
    this.#indexWords(
      { title: before.title === null ? null : String(before.title), path: file.path },
      passages.map((row) => ({ id: Number(row.id), text: String(row.text) })),
    );
  }

  remove(path: string): void {
    const row = this.#db.prepare("SELECT id FROM files WHERE path = ?").get(path);
    if (row === undefined) return;
    const id = Number(row.id);
    this.#forgetWords(id);
    this.#db.prepare("DELETE FROM passages WHERE file = ?").run(id);
    this.#db.prepare("DELETE FROM files WHERE id = ?").run(id);
  }

  #indexWords(
    file: { readonly title: string | null; readonly path: string },
    passages: readonly { readonly id: number | bigint; readonly text: string }[],
  ): void {
    const title = indexedText(`${file.title ?? ""} ${file.path}`);
    const words = this.#db.prepare("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)");
    for (const { id, text } of passages) words.run(id, title, indexedText(text));
  }

  #forgetWords(id: number): void {
    this.#db.prepare("DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE file = ?)").run(id);
  }

  /** The best passages for an expression, best first, from files no older than `since`. */
  find(expression: string, since: number, limit: number): FoundPassage[] {
    // Without a date filter, passages are ranked before any join: a common word is in every second passage.
    const ranked = "SELECT rowid AS id, rank AS score FROM words WHERE words MATCH ? AND rank MATCH ?";
    const rows =
      since > 0
        ? this.#db
            .prepare(
              `SELECT p.file, p.nth FROM (${ranked}) best JOIN passages p ON p.id = best.id JOIN files f ON f.id = p.file
               WHERE f.mtime >= ? ORDER BY best.score LIMIT ?`,
            )
            .all(expression, RANK, since, limit)
        : this.#db
            .prepare(
              `SELECT p.file, p.nth FROM (${ranked} ORDER BY rank LIMIT ?) best JOIN passages p ON p.id = best.id
               ORDER BY best.score`,
            )
            .all(expression, RANK, limit);
    return rows as unknown as FoundPassage[];
  }

  file(by: { readonly id: number } | { readonly path: string }): FoundFile | null {
    const [column, value] = "id" in by ? (["id", by.id] as const) : (["path", by.path] as const);
    const row = this.#db
      .prepare(
        `SELECT id, path, title, author, published, mtime, chars FROM files WHERE ${column} = ? AND problem IS NULL`,
      )
      .get(value);
    return (row as unknown as FoundFile | undefined) ?? null;
  }

  text(file: number, from = 0, to = Number.MAX_SAFE_INTEGER): string {
    const rows = this.#db
      .prepare("SELECT text FROM passages WHERE file = ? AND nth BETWEEN ? AND ? ORDER BY nth")
      .all(file, from, to);
    return rows.map(({ text }) => String(text)).join("");
  }

  titles(limit: number): { readonly count: number; readonly first: readonly { path: string; title: string | null }[] } {
    const count = this.#db.prepare("SELECT count(*) AS n FROM files WHERE problem IS NULL").get();
    const first = this.#db
      .prepare("SELECT path, title FROM files WHERE problem IS NULL ORDER BY path LIMIT ?")
      .all(limit);
    return { count: Number(count?.n ?? 0), first: first as unknown as { path: string; title: string | null }[] };
  }

  problems(limit: number): { readonly count: number; readonly first: readonly { path: string; problem: string }[] } {
    const count = this.#db.prepare("SELECT count(*) AS n FROM files WHERE problem IS NOT NULL").get();
    const first = this.#db
      .prepare("SELECT path, problem FROM files WHERE problem IS NOT NULL ORDER BY path LIMIT ?")
      .all(limit);
    return { count: Number(count?.n ?? 0), first: first as unknown as { path: string; problem: string }[] };
  }

  /** Whether `holder` now has the lease to update the index, until `until`. */
  lease(holder: string, now: number, until: number): boolean {
    const { changes } = this.#db
      .prepare(
        `INSERT INTO lease (one, holder, until) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE
         SET holder = excluded.holder, until = excluded.until WHERE lease.holder = excluded.holder OR lease.until < ?`,
      )
      .run(holder, until, now);
    return Number(changes) > 0;
  }

  release(holder: string): void {
    this.#db.prepare("DELETE FROM lease WHERE holder = ?").run(holder);
  }
}

function openOrBeginAnew(file: string, isUsable: (db: DatabaseSync) => boolean): DatabaseSync {
  try {
    const db = openPatiently(file);
    if (isUsable(db)) return db;
    db.close();
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  renameSync(file, `${file}.damaged`);
  for (const ending of ["-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
  return openPatiently(file);
}

/** Checks the whole database file for damage. */
function isSound(db: DatabaseSync): boolean {
  try {
    return db.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
  } catch (error) {
    if (isDamaged(error)) return false;
    throw error;
  }
}

/** Opens the file, and retries: a process that switches a new file to write-ahead logging locks others out at once. */
function openPatiently(file: string): DatabaseSync {
  for (let attempt = 1; ; attempt++)
    try {
      return openFile(file);
    } catch (error) {
      if (codeOf(error) !== BUSY || attempt === OPEN_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS);
    }
}

function openFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 30_000 });
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function isDamaged(error: unknown): boolean {
  return codeOf(error) === CORRUPT || codeOf(error) === NOT_A_DATABASE;
}

function codeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
}
