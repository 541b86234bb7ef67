/**
 * The memory of a Python interpreter that has started: made once per version of pyodide and cached in a file, so that a
 * program waits for a copy and not for a start. The file ends with its hash; a damaged file is made again.
 */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readRunner } from "../stage/program.ts";
import { denoArguments, denoEnvironment } from "./arguments.ts";

const HASH_BYTES = 32;
const MAX_BYTES = 512 * 1024 * 1024;
const run = promisify(execFile);

export interface SnapshotOptions {
  readonly deno: string;
  readonly pyodide: { readonly folder: string; readonly version: string };
  /** Where the file is cached; default: the user's cache folder. */
  readonly cacheDir?: string | undefined;
}

export async function loadSnapshot(options: SnapshotOptions): Promise<Uint8Array> {
  const folder = options.cacheDir ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "cairn");
  const file = join(folder, `pyodide-${options.pyodide.version}.snapshot`);
  const kept = await readKept(file);
  if (kept !== null) return kept;
  const made = await makeSnapshot(options);
  await keep(folder, file, made);
  return made;
}

async function readKept(file: string): Promise<Uint8Array | null> {
  try {
    const bytes = await readFile(file);
    const content = bytes.subarray(0, -HASH_BYTES);
    return hashOf(content).equals(bytes.subarray(-HASH_BYTES)) ? content : null;
  } catch {
    return null; // The file does not exist or cannot be read, so a new one is made.
  }
}

/** Caches the snapshot. If the folder is not writable, each process starts the interpreter itself. */
async function keep(folder: string, file: string, content: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, Buffer.concat([content, hashOf(content)]), { mode: 0o600 });
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

async function makeSnapshot({ deno, pyodide }: SnapshotOptions): Promise<Uint8Array> {
  const folder = join(tmpdir(), `cairn-snapshot-${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    const script = join(folder, "make-snapshot.mjs");
    await writeFile(script, await readRunner("make-snapshot.mjs"));
    const args = denoArguments({ read: [pyodide.folder], write: [], script: [script, pyodide.folder] });
    const env = denoEnvironment(folder);
    const { stdout } = await run(deno, args, { env, encoding: "buffer", maxBuffer: MAX_BYTES, timeout: 300_000 });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function hashOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
