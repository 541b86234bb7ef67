/**
 * A workspace on a real folder.
 *
 * Files are written beside their place and renamed into it, so that nobody reads half a file. A file that is pulled is
 * put there only if nothing has been written meanwhile. Temporary files lie in `.cairn` at the top, which no path of a
 * tool reaches and no list shows. Where the file system differs between checking and opening, the open file is checked
 * again: it must be a regular file.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, link, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobInfo, ByteSource, ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { checkFile, checkSpelling, codeOf, isMissing, placeIn, refuse } from "./safe-path.ts";
import type { Hosted, Workspace } from "./workspace.ts";

interface SignalOption {
  readonly signal?: AbortSignal;
}

export interface WorkspaceOptions {
  /** OUT_DIR; made when it is not there. */
  readonly root: string;
  /** Whose files these are: part of how they are hosted. */
  readonly key: ConversationKey;
  /** The bytes of a file that is not in the folder; null when there are none anywhere. */
  readonly pullFile: (path: string, options: SignalOption) => Promise<ByteSource | null>;
  /** Stores bytes where they outlive the folder. */
  readonly putBlob: (source: ByteSource, options?: SignalOption) => Promise<BlobInfo>;
}

const TEMPORARY = ".cairn";
/** More than this is not read into memory at once. */
const LARGEST_READ = 256 * 1024 * 1024;

export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  await mkdir(options.root, { recursive: true });
  const root = await realpath(options.root);
  return new FolderWorkspace(root, options);
}

class FolderWorkspace implements Workspace {
  readonly root: string;
  readonly #options: WorkspaceOptions;

  constructor(root: string, options: WorkspaceOptions) {
    this.root = root;
    this.#options = options;
  }

  async read(path: string, options: SignalOption = {}): Promise<Uint8Array | null> {
    const file = checkFile(path);
    const handle =
      (await this.#openFile(file)) ?? ((await this.pull(file, options)) ? await this.#openFile(file) : null);
    if (handle === null) return null;
    try {
      const { size } = await handle.stat();
      if (size > LARGEST_READ)
        throw refuse("too_large", path, `the file has ${size} bytes, and at most ${LARGEST_READ} are read.`);
      return await handle.readFile({ signal: options.signal });
    } finally {
      await handle.close();
    }
  }

  async write(path: string, content: Uint8Array | string): Promise<void> {
    const file = checkFile(path);
    await this.#place(file, [typeof content === "string" ? Buffer.from(content) : content], rename);
  }

  async pull(path: string, options: SignalOption = {}): Promise<boolean> {
    const file = checkFile(path);
    const present = await this.#openFile(file);
    if (present !== null) {
      await present.close();
      return true;
    }
    const source = await this.#options.pullFile(file, options);
    if (source === null) return false;
    await this.#place(file, source, linkOnce, options.signal);
    return true;
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
    const handle = await this.#openFile(file);
    if (handle === null)
      throw new CairnError("file_missing", `There is no file ${JSON.stringify(file)} to host.`, { path: file });
    try {
      const { ref, size } = await this.#options.putBlob(handle.createReadStream({ autoClose: false }));
      return { blob: ref, size_bytes: size, ...hostingFields(this.#options.key, file) };
    } finally {
      await handle.close();
    }
  }

  /** Null when there is no such file. Never follows a link that leaves the folder, never waits for a pipe. */
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
    throw refuse("bad_path", file, "it is a folder or something else that is no file.");
  }

  async #place(
    file: string,
    source: ByteSource,
    move: (from: string, to: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (isTemporary(file)) throw refuse("unsafe_path", file, `${TEMPORARY} belongs to the workspace.`);
    const temporary = join(this.root, TEMPORARY, randomUUID());
    try {
      const folder = await placeIn(this.root, dirname(file));
      await mkdir(folder, { recursive: true });
      await mkdir(dirname(temporary), { recursive: true });
      const handle = await open(temporary, "wx");
      try {
        for await (const chunk of source) {
          signal?.throwIfAborted();
          await handle.writeFile(chunk);
        }
      } finally {
        await handle.close();
      }
      // The last name is not resolved: a link that stands there is replaced, not followed.
      await move(temporary, join(folder, file.slice(file.lastIndexOf("/") + 1)));
    } catch (error) {
      throw systemError(error, file);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** What a file system without hard links says to one. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"]);

/** Puts a file in its place unless one is there already. */
async function linkOnce(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (!NO_LINKS.has(codeOf(error))) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** Files below a folder, by path. Links are passed over: what they lead to is listed where it lies. */
async function listInto(place: string, prefix: string, limit: number, found: string[]): Promise<void> {
  const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  // A folder sorts as its files do, with the slash behind its name.
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

function hostingFields(key: ConversationKey, path: string): Pick<Hosted, "hosted_uri" | "rn" | "key"> {
  const scope = [key.tenant, key.project, key.user, key.conversation].map(encodeURIComponent);
  const place = path.split("/").map(encodeURIComponent).join("/");
  return {
    hosted_uri: `cairn://${scope.join("/")}/${place}`,
    rn: `cairn:${scope.join(":")}:artifact:${place}`,
    key: `${scope.join("/")}/${place}`,
  };
}

function systemError(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOTDIR":
    case "EEXIST":
      return refuse("bad_path", path, "a file stands where one of its folders would have to be.");
    case "EISDIR":
    case "ENOTEMPTY":
      return refuse("bad_path", path, "a folder stands there.");
    case "ELOOP":
      return refuse("unsafe_path", path, "it is a link.");
    case "ENAMETOOLONG":
      return refuse("bad_path", path, "it is too long.");
    default:
      return error;
  }
}
