/**
 * Updates the index to match the folder; the cost depends on what has changed.
 *
 * A file with unchanged size and time is not opened. Any other file is read and hashed: known content with a new time
 * or name is only recorded, new content is parsed. A file that changed very recently may change again without a new
 * timestamp, so it is hashed again next time. Files that cannot be read are recorded with the reason.
 *
 * One process at a time updates an index; the others wait until it has finished or died. If two processes ever update
 * at once, they only do the work twice, because every write is independent.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError, errorCode } from "@cairn/timeline/error";
import type { Extractor } from "../extract/extractor.ts";
import type { ExtractedPage } from "../extract/page.ts";
import type { CorpusDatabase, FileToIndex, IndexedFile } from "./corpus-database.ts";
import { splitPassages } from "./passages.ts";
import { kindOfFile, type ScannedFile, scanFolder } from "./scan-folder.ts";

export interface SyncParts {
  readonly folder: string;
  /** Folders that do not belong to the corpus, relative to the folder. */
  readonly leftOut: readonly string[];
  readonly database: CorpusDatabase;
  readonly extractor: Extractor;
  /** Identifies this process. */
  readonly holder: string;
  readonly onProgress: (done: number, all: number) => void;
  readonly signal: AbortSignal;
}

export interface SyncReport {
  readonly files: number;
  /** Number of files whose content was parsed. */
  readonly indexed: number;
  /** Number of files recorded under a new name or time. */
  readonly moved: number;
  readonly removed: number;
  readonly problems: readonly string[];
}

const MAX_FILE_BYTES = 50_000_000;
const AT_ONCE = 4;
const BATCH_FILES = 64;
const BATCH_CHARS = 4_000_000;
/** How long the others wait for a process that died; a living one renews it every second. */
const LEASE_MS = 6_000;
const RENEW_MS = 1_000;
const POLL_MS = 100;
/** Coarser than the timestamps of any file system in use. */
const UNSURE_MS = 2_000;

export async function syncCorpus(parts: SyncParts): Promise<SyncReport> {
  const { database, holder, signal } = parts;
  while (!database.lease(holder, Date.now(), Date.now() + LEASE_MS)) await sleep(POLL_MS, undefined, { signal });
  try {
    return await bringUpToDate(parts);
  } finally {
    database.release(holder);
  }
}

async function bringUpToDate(parts: SyncParts): Promise<SyncReport> {
  const { folder, leftOut, database, onProgress, signal } = parts;
  const scannedAt = Date.now();
  const { files, problems } = await scanFolder(folder, leftOut, signal);
  const known = new Map(database.files().map((file) => [file.path, file]));
  const present = new Set(files.map(({ path }) => path));
  const gone = [...known.values()].filter(({ path }) => !present.has(path));
  const goneByHash = new Map(gone.map((file) => [file.hash, file]));
  const doubtful = files.filter((file) => !isUnchanged(file, known.get(file.path)));
  const batch = new WriteBatch(parts);
  let [indexed, moved] = [0, 0];
  let done = files.length - doubtful.length;
  onProgress(done, files.length);
  const renewal = setInterval(() => batch.tryToRenew(), RENEW_MS);
  await inTurn(doubtful, AT_ONCE, async (file) => {
    signal.throwIfAborted();
    const read = await readScanned(folder, file);
    if (read === null) return;
    const unsure = file.mtimeMs > scannedAt - UNSURE_MS;
    const before = known.get(file.path);
    const same = before?.hash === read.hash ? before : before === undefined ? goneByHash.get(read.hash) : undefined;
    if (same !== undefined && same.hash !== "" && kindOfFile(same.path) === kindOfFile(file.path)) {
      goneByHash.delete(same.hash);
      moved++;
      batch.add(0, () => database.touch(same.id, { path: file.path, size: file.size, mtime: file.mtimeMs, unsure }));
    } else {
      indexed++;
      const entry = await entryOf(file, read, unsure, parts);
      batch.add(
        entry.passages.reduce((sum, passage) => sum + passage.length, 0),
        () => database.put(entry),
      );
    }
    onProgress(++done, files.length);
  }).finally(() => clearInterval(renewal));
  const taken = new Set(gone.filter(({ hash }) => !goneByHash.has(hash)).map(({ path }) => path));
  const removed = gone.filter(({ path }) => !taken.has(path));
  for (const { path } of removed) batch.add(0, () => database.remove(path));
  batch.flush();
  return { files: files.length, indexed, moved, removed: removed.length, problems };
}

function isUnchanged(file: ScannedFile, known: IndexedFile | undefined): boolean {
  // A file that could not be opened has no hash, and its time does not tell whether it can be opened now.
  const isSure = known !== undefined && !known.unsure && (known.hash !== "" || file.size > MAX_FILE_BYTES);
  return isSure && known.size === file.size && known.mtime === file.mtimeMs;
}

interface ReadFile {
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly problem: string | null;
}

/** Reads a file; null if it no longer exists. */
async function readScanned(folder: string, file: ScannedFile): Promise<ReadFile | null> {
  if (file.size > MAX_FILE_BYTES)
    return { hash: "", bytes: new Uint8Array(), problem: `It is larger than ${MAX_FILE_BYTES / 1_000_000} MB.` };
  try {
    const bytes = await readFile(join(folder, file.path));
    return { hash: createHash("sha256").update(bytes).digest("hex"), bytes, problem: null };
  } catch (error) {
    const code = errorCode(error) || "unknown";
    return code === "ENOENT" ? null : { hash: "", bytes: new Uint8Array(), problem: `It cannot be opened (${code}).` };
  }
}

async function entryOf(
  file: ScannedFile,
  { hash, bytes, problem }: ReadFile,
  unsure: boolean,
  { extractor, signal }: SyncParts,
): Promise<FileToIndex> {
  const entry = { path: file.path, size: file.size, mtime: file.mtimeMs, hash, unsure };
  const failed = (problem: string) => ({ ...entry, problem, title: null, author: null, published: null, passages: [] });
  if (problem !== null) return failed(problem);
  const kind = kindOfFile(file.path) ?? "text";
  let page: ExtractedPage;
  try {
    page = await extractor.extract({ bytes, kind }, signal);
  } catch (error) {
    if (!CairnError.is(error) || error.code === "closed") throw error;
    return failed(error.message);
  }
  if (kind === "text" && page.text.includes("\0")) return failed("It is not text.");
  return {
    ...entry,
    problem: page.text.trim() === "" && page.problem !== undefined ? page.problem : null,
    title: page.title ?? null,
    author: page.author ?? null,
    published: page.published ?? null,
    passages: splitPassages(page.text),
  };
}

/** Writes many files in one transaction, and renews the lease with it. */
class WriteBatch {
  readonly #parts: SyncParts;
  #writes: (() => void)[] = [];
  #chars = 0;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  add(chars: number, write: () => void): void {
    this.#writes.push(write);
    this.#chars += chars;
    if (this.#writes.length >= BATCH_FILES || this.#chars >= BATCH_CHARS) this.flush();
  }

  flush(): void {
    const writes = this.#writes;
    this.#writes = [];
    this.#chars = 0;
    if (writes.length === 0) return;
    this.#parts.database.write(() => {
      this.renew();
      for (const write of writes) write();
    });
  }

  renew(): void {
    const { database, holder } = this.#parts;
    database.lease(holder, Date.now(), Date.now() + LEASE_MS);
  }

  /** Renews the lease between two batches. After a failure, the next batch tries again and reports the problem. */
  tryToRenew(): void {
    try {
      this.renew();
    } catch (error) {
      if (!(error instanceof Error && "errcode" in error)) throw error;
    }
  }
}

/** Runs `work` on every item, several at a time. The first failure ends it. */
async function inTurn<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items.values();
  const run = async () => {
    for (const item of iterator) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}
