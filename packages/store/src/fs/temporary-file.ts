/**
 * A file that is written, synced and moved to its place. While open, it can be written again if it was removed.
 *
 * Only calls that may wait for the disk for long are asynchronous: writing and syncing. An asynchronous call takes ten
 * times the processor time of a synchronous one, and storing a small blob takes about fifteen calls.
 */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, existsSync, fsync, futimesSync, openSync, readSync, renameSync, rmSync, write } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@cairn/timeline";
import type { BlobInfo, ByteSource } from "../contract/blob-store.ts";
import { isMissing } from "./file-error.ts";

const CHUNK = 65_536;

export class TemporaryFile {
  readonly #folder: string;
  readonly #clock: Clock | null;
  #handle: number | null = null;
  #name: string | null = null;

  /** With a clock, the file gets its timestamp from the clock. */
  constructor(folder: string, clock: Clock | null) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async write(source: ByteSource, signal: AbortSignal | undefined): Promise<BlobInfo> {
    const handle = this.#create();
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of source) {
      signal?.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
      await writeAll(handle, chunk);
    }
    await this.#seal(handle);
    return { ref: `sha256:${hash.digest("hex")}`, size };
  }

  /** The file is durable under its new name when this returns. */
  async moveTo(file: string): Promise<void> {
    for (;;) {
      if (this.#name === null) await this.#makeAgain();
      try {
        renameSync(this.#name ?? "", file);
        this.#name = null;
        break;
      } catch (error) {
        // `gc` may have removed the temporary file, so it is written again, unless the target folder is missing, too.
        if (!isMissing(error) || !existsSync(dirname(file))) throw error;
        this.#name = null;
      }
    }
    await syncFolder(dirname(file));
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    if (this.#name !== null) rmSync(this.#name, { force: true });
  }

  #create(): number {
    const name = join(this.#folder, randomUUID());
    this.#handle = openSync(name, "wx+", 0o600);
    this.#name = name;
    return this.#handle;
  }

  /** The bytes exist as long as the file is open, even without a name. */
  async #makeAgain(): Promise<void> {
    const before = this.#handle;
    if (before === null) throw new Error("The temporary file was read before anything was written to it.");
    try {
      const handle = this.#create();
      const buffer = Buffer.allocUnsafe(CHUNK);
      for (let at = 0; ; ) {
        const bytesRead = readSync(before, buffer, 0, CHUNK, at);
        if (bytesRead === 0) break;
        await writeAll(handle, buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
      await this.#seal(handle);
    } finally {
      closeSync(before);
    }
  }

  async #seal(handle: number): Promise<void> {
    if (this.#clock !== null) {
      const seconds = this.#clock.now() / 1_000;
      futimesSync(handle, seconds, seconds);
    }
    await sync(handle);
  }
}

/** Makes the names in a folder durable. Windows cannot sync folders and does not need to. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    await sync(handle);
  } finally {
    closeSync(handle);
  }
}

async function writeAll(handle: number, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += await writePart(handle, chunk, at);
}

function writePart(handle: number, chunk: Uint8Array, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(handle, chunk, from, (error, written) => (error === null ? resolve(written) : reject(error)));
  });
}

function sync(handle: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(handle, (error) => (error === null ? resolve() : reject(error)));
  });
}
