/**
 * A workspace on a real folder.
 *
 * Files are written under a temporary name and renamed, so that no reader sees half a file. A pulled file does not
 * replace a file that was written during the pull. Temporary files are in the folder `.cairn` of the workspace, which
 * no tool can reach and no list shows. The file system may change between a check and an open, so the open file is
 * checked again: it must be a regular file.
 *
 * The folder may be from an earlier turn, and later turns may have run on another machine. So an existing file is
 * compared with the journal when it is first requested, and replaced if it differs. Files that were written since the
 * workspace was opened need no comparison, because its owner is the only writer of the conversation. The file system's
 * ctime, which programs cannot set, shows when a file was written.
 */
import { randomUUID } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobInfo, ByteSource, ConversationKey } from "@cairn/store";
import { CairnError, errorCode } from "@cairn/timeline";
import { hostingFields } from "./hosting-fields.ts";
import { isLatest, type LatestFile } from "./latest-file.ts";
import { ifMissing, isMissing } from "./missing-file.ts";
import { checkFile, checkSpelling, placeIn, refuse } from "./safe-path.ts";
import type { Hosted, Workspace } from "./workspace.ts";

interface SignalOption {
  readonly signal?: AbortSignal;
}

export interface WorkspaceOptions {
  /** The workspace folder (OUT_DIR), which is created if it is missing. */
  readonly root: string;
  /** The owner of the files; part of their hosting addresses. */
  readonly key: ConversationKey;
  /** The current version of a file according to the journal; null for an unknown path. */
  readonly findLatest: (path: string, options: SignalOption) => Promise<LatestFile | null>;
  /** Stores bytes so that they outlive the folder. */
  readonly putBlob: (source: ByteSource, options?: SignalOption) => Promise<BlobInfo>;
}

const TEMPORARY = ".cairn";
const OWNER_ONLY = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Maximum size of a file that is read into memory. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  // Every turn opens a workspace. An asynchronous call takes ten times the processor time of a synchronous one.
  mkdirSync(options.root, { recursive: true, mode: OWNER_ONLY });
  // Earlier versions created folders that all users of the machine could read, so the mode is set again.
  chmodSync(options.root, OWNER_ONLY);
  const root = realpathSync.native(options.root);
  return new FolderWorkspace(root, fileTime(root), options);
}

/** The current time by the clock of the folder's file system. */
function fileTime(root: string): bigint {
  const mark = join(root, TEMPORARY, randomUUID());
  mkdirSync(dirname(mark), { recursive: true, mode: OWNER_ONLY });
  const handle = openSync(mark, "wx");
  try {
    return fstatSync(handle, { bigint: true }).ctimeNs;
  } finally {
    closeSync(handle);
    rmSync(mark, { force: true });
  }
}

class FolderWorkspace implements Workspace {
  readonly root: string;
  readonly #openedNs: bigint;
  readonly #options: WorkspaceOptions;
  /** Files that were written or compared since the workspace was opened. */
  readonly #current = new Set<string>();
  /** The last rename. Renames run one after the other. */
  #moves: Promise<unknown> = Promise.resolve();

  constructor(root: string, openedNs: bigint, options: WorkspaceOptions) {
    this.root = root;
    this.#openedNs = openedNs;
    this.#options = options;
  }

  async read(path: string, options: SignalOption = {}): Promise<Uint8Array | null> {
    const file = checkFile(path);
    const handle = await this.#openLatest(file, options);
    if (handle === null) return null;
    try {
      const { size } = await handle.stat();
      if (size > MAX_READ_BYTES)
        throw refuse("too_large", path, `the file has ${size} bytes; the limit for reading is ${MAX_READ_BYTES}.`);
      return await handle.readFile({ signal: options.signal });
    } finally {
      await handle.close();
    }
  }

  async write(path: string, content: Uint8Array | string): Promise<void> {
    const file = checkFile(path);
    await this.#place(file, [typeof content === "string" ? Buffer.from(content) : content], async (from, to) => {
      await rename(from, to);
      this.#current.add(file);
    });
  }

  async pull(path: string, options: SignalOption = {}): Promise<boolean> {
    const file = checkFile(path);
    const handle = await this.#openLatest(file, options);
    await handle?.close();
    return handle !== null;
  }

  async list(folder: string, limit: number): Promise<readonly string[]> {
    const start = checkSpelling(folder);
    if (isTemporary(start)) return [];
    const place = start === "" ? this.root : await placeIn(this.root, start);
    const found: string[] = [];
    await listInto(place, start, limit, found);
    return found;
  }

  async host(path: string): Promise<Hosted> {
    const file = checkFile(path);
    const handle = await this.#openLatest(file, {});
    if (handle === null)
      throw new CairnError(
        "file_missing",
        `The file ${JSON.stringify(file)} does not exist in the workspace, so it cannot be stored.`,
        { path: file },
      );
    try {
      const { ref, size } = await this.#options.putBlob(handle.createReadStream({ autoClose: false }));
      return { blob: ref, size_bytes: size, ...hostingFields(this.#options.key, file) };
    } finally {
      await handle.close();
    }
  }

  /** Opens the current version of a file, after replacing an outdated or missing one; null when there is none. */
  async #openLatest(file: string, options: SignalOption): Promise<FileHandle | null> {
    const lying = await this.#openFile(file);
    let newer: LatestFile | null;
    let known: BigIntStats | null;
    try {
      known = lying === null ? null : await lying.stat({ bigint: true });
      newer = await this.#findNewer(file, lying, known, options);
    } catch (error) {
      await lying?.close();
      throw error;
    }
    if (newer === null) return lying;
    await lying?.close();
    // There is no such file: the current version has no stored bytes, and the folder has another version.
    if (newer.read === null) return null;
    const move = known === null ? linkOnce : replaceIf(known);
    await this.#place(file, newer.read(), move, options.signal);
    this.#current.add(file);
    return this.#openFile(file);
  }

  /** The version that must replace the file in the folder; null when the file is current. */
  async #findNewer(
    file: string,
    lying: FileHandle | null,
    known: BigIntStats | null,
    options: SignalOption,
  ): Promise<LatestFile | null> {
    if (isTemporary(file)) return null;
    if (known !== null && (this.#current.has(file) || known.ctimeNs > this.#openedNs)) return null;
    const latest = await this.#options.findLatest(file, options);
    if (latest !== null && (lying === null || !(await isLatest(lying, latest, options.signal)))) return latest;
    if (lying !== null) this.#current.add(file);
    return null;
  }

  /** Opens a file; null when it does not exist. Never follows a link out of the folder, and never blocks on a pipe. */
  async #openFile(file: string): Promise<FileHandle | null> {
    if (isTemporary(file)) return null;
    const place = await placeIn(this.root, file);
    let handle: FileHandle;
    try {
      handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (isMissing(error)) return null;
      throw systemError(error, file);
    }
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    throw refuse("bad_path", file, "it is a folder or a special file, not a regular file.");
  }

  async #place(
    file: string,
    source: ByteSource,
    move: (from: string, to: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (isTemporary(file)) throw refuse("unsafe_path", file, `${TEMPORARY} is reserved for the workspace.`);
    const temporary = join(this.root, TEMPORARY, randomUUID());
    try {
      const folder = await placeIn(this.root, dirname(file));
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
      await mkdir(dirname(temporary), { recursive: true, mode: OWNER_ONLY });
      const handle = await open(temporary, "wx", OWNER_ONLY_FILE);
      try {
        for await (const chunk of source) {
          signal?.throwIfAborted();
          await handle.writeFile(chunk);
        }
      } finally {
        await handle.close();
      }
      // The last name of the path is not resolved: if there is a link, the link is replaced and not followed.
      const place = join(folder, file.slice(file.lastIndexOf("/") + 1));
      const moved = this.#moves.then(() => move(temporary, place));
      this.#moves = moved.catch(() => undefined); // The next rename runs even if this rename failed.
      await moved;
    } catch (error) {
      throw systemError(error, file);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** Error codes of file systems that have no hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"]);

/** Puts a file in place unless one already exists. */
async function linkOnce(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return;
    if (!NO_LINKS.has(errorCode(error))) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** Replaces the file that was compared, unless it was written since the comparison. */
function replaceIf(known: BigIntStats): (from: string, to: string) => Promise<void> {
  return async (from, to) => {
    const now = await stat(to, { bigint: true }).catch(ifMissing(known));
    if (now.ino === known.ino && now.ctimeNs === known.ctimeNs) await rename(from, to);
  };
}

/** Files below a folder, by path. Links are skipped, because their targets are listed at their own paths. */
async function listInto(place: string, prefix: string, limit: number, found: string[]): Promise<void> {
  const entries = await readdir(place, { withFileTypes: true }).catch(ifMissing([]));
  // A folder is sorted as its name with a slash after it, among the files.
  const named = entries
    .filter(({ name }) => !name.includes("\\") && !(prefix === "" && name === TEMPORARY))
    .map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { entry } of named) {
    if (found.length >= limit) return;
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) await listInto(join(place, entry.name), path, limit, found);
    else if (entry.isFile()) found.push(path);
  }
}

function isTemporary(path: string): boolean {
  return path === TEMPORARY || path.startsWith(`${TEMPORARY}/`);
}

function systemError(error: unknown, path: string): unknown {
  switch (errorCode(error)) {
    case "ENOTDIR":
    case "EEXIST":
      return refuse("bad_path", path, "one of its parent folders is a file.");
    case "EISDIR":
    case "ENOTEMPTY":
      return refuse("bad_path", path, "a folder has this name.");
    case "ELOOP":
      return refuse("unsafe_path", path, "it is a link.");
    case "ENAMETOOLONG":
      return refuse("bad_path", path, "it is too long.");
    default:
      return error;
  }
}
