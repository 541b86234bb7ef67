/**
 * The stage: one folder, made for one program and removed with it. The stage contains copies, never the workspace
 * itself, so that a program can damage nothing: its files are copied back only after it has ended.
 *
 *   out/                    the workspace as the program sees it (OUTPUT_DIR)
 *   out/<turn>/files/       files of the current turn, the only part of the workspace that can be written
 *   run/                    the program and what runs it
 *   ask/  answers/          questions to the conversation, and their answers
 *   tmp/                    scratch
 *
 * The sandbox sees the same layout, whatever its path. Only `out/<turn>/files`, `ask` and `tmp` belong to the user the
 * program runs as.
 */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { chmod, chown, copyFile, mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type ProcessOwner, sandboxOwner } from "../process/run-as.ts";
import { oldStages, STAGE_PREFIX } from "./old-stages.ts";

const run = promisify(execFile);

export class Stage implements AsyncDisposable {
  /** Absolute path of the stage, with links resolved. */
  readonly root: string;
  readonly turnId: string;
  readonly #owner: ProcessOwner | null;

  private constructor(root: string, turnId: string, owner: ProcessOwner | null) {
    this.root = root;
    this.turnId = turnId;
    this.#owner = owner;
  }

  static async create(turnId: string): Promise<Stage> {
    if (!hasCleaned) void removeOldStages();
    hasCleaned = true;
    const root = await realpath(await mkdtemp(join(tmpdir(), STAGE_PREFIX)));
    const stage = new Stage(root, turnId, sandboxOwner());
    try {
      for (const folder of ["out", "run", "answers"]) await stage.#makeFolder(folder);
      for (const folder of stage.writable) await stage.#makeFolder(folder);
      await stage.#own("");
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
    return stage;
  }

  /** Folders in which the program may write, relative to the stage. */
  get writable(): readonly string[] {
    return [this.filesFolder, "ask", "tmp"];
  }

  get filesFolder(): string {
    return `out/${this.turnId}/files`;
  }

  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  /** Creates a file that the program can read, atomically. */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    await this.#place(path, (place) => writeFile(place, content));
  }

  /** Copies a file; if the disk can share blocks, nothing is copied. */
  async copyIn(path: string, from: string): Promise<void> {
    await this.#place(path, (place) => copyFile(from, place, constants.COPYFILE_FICLONE));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.root);
  }

  async #place(path: string, fill: (place: string) => Promise<void>): Promise<void> {
    await this.#makeFolder(dirname(path));
    // A program cannot write to `run`, so it cannot make a link there that leads this write to another place.
    const temporary = this.path("run", `.${path.replaceAll("/", "_").slice(-100)}.part`);
    await fill(temporary);
    await chmod(temporary, 0o644);
    if (this.#isWritable(path) && this.#owner !== null) await chown(temporary, this.#owner.uid, this.#owner.gid);
    await rename(temporary, this.path(path));
  }

  async #makeFolder(path: string): Promise<void> {
    const made = await mkdir(this.path(path), { recursive: true });
    if (made === undefined) return;
    // The mode is set separately, because `mkdir` applies the umask and the program may run as another user.
    for (let folder = path; this.path(folder).startsWith(made); folder = dirname(folder)) {
      await chmod(this.path(folder), 0o755);
      if (this.#isWritable(folder)) await this.#own(folder);
    }
  }

  #isWritable(path: string): boolean {
    return this.writable.some((folder) => path === folder || path.startsWith(`${folder}/`));
  }

  async #own(path: string): Promise<void> {
    if (this.#owner !== null) await chown(this.path(path), this.#owner.uid, this.#owner.gid);
  }
}

/** Whether this process has removed old stages. The process removes them once, at its first program. */
let hasCleaned = false;

async function removeOldStages(): Promise<void> {
  try {
    for (const stage of await oldStages(tmpdir(), Date.now())) await removeFolder(stage);
  } catch {
    // Errors are ignored: another process may remove the same stages, and no program may fail because of old ones.
  }
}

/** Removes a folder, although a program may have removed permissions or made folders deeper than any path allows. */
async function removeFolder(root: string): Promise<void> {
  try {
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await run("sh", ["-c", 'chmod -R u+rwX "$1"; rm -rf "$1"', "sh", root]);
  }
}
