/**
 * Blobs in a folder: `<root>/<tenant>/<first two digits>/<hash>`, the tenant as the first 32 digits of its own SHA-256,
 * because a tenant's name may be too long or invalid for a file system.
 *
 * Bytes are written to `<root>/tmp`, synced, renamed into place, and the folder is synced: after `put` returns, the
 * bytes survive a crash; an interrupted write leaves a temporary file that is never read and that `gc` removes. A
 * rename replaces an equal file by an equal file, so concurrent puts of the same bytes need no lock.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, statSync, unlinkSync } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BlobRef, type Clock, isBlobRef } from "@cairn/timeline";
import type { BlobInfo, ByteSource, RangeOptions } from "../contract/blob-store.ts";
import { cutRange } from "../contract/byte-range.ts";
import type { CallOptions } from "../contract/call-options.ts";
import { storeError } from "../contract/errors.ts";
import type { BlobFile, KeptBlobs, PutSteps } from "../contract/kept-blobs.ts";
import { checkPart } from "../contract/scope.ts";
import { isMissing, namesIn, toFileError } from "./file-error.ts";
import { syncFolder, TemporaryFile } from "./temporary-file.ts";

const CHUNK = 65_536;

export class BlobFolder implements KeptBlobs {
  readonly #root: string;
  readonly #clock: Clock | null;
  /** Folders whose names are known to be durable. */
  readonly #synced = new Set<string>();

  /** With a clock, files get their timestamps from it, so that the same clock measures their age. */
  constructor(root: string, clock: Clock | null = null) {
    this.#root = root;
    this.#clock = clock;
  }

  put(tenant: string, source: ByteSource, options: CallOptions = {}): Promise<BlobInfo> {
    return this.putWith(tenant, source, { refer: async () => {} }, options);
  }

  /**
   * The temporary file stays open until the reference exists. If `gc` removes the file or the blob before that, the
   * bytes are written again from the open file. Blobs without a reference are found by listing the files.
   */
  async putWith(tenant: string, source: ByteSource, { refer }: PutSteps, options: CallOptions = {}): Promise<BlobInfo> {
    checkPart("tenant", tenant);
    try {
      await this.#makeFolder(join(this.#root, "tmp"));
      const temporary = new TemporaryFile(join(this.#root, "tmp"), this.#clock);
      try {
        const blob = await temporary.write(source, options.signal);
        const file = this.#fileOf(tenant, blob.ref);
        await this.#makeFolder(dirname(file));
        options.signal?.throwIfAborted();
        await temporary.moveTo(file);
        await refer(blob);
        if (!existsSync(file)) await temporary.moveTo(file);
        return blob;
      } finally {
        temporary.close();
      }
    } catch (error) {
      throw toFileError(error, "Storing a blob");
    }
  }

  async *get(tenant: string, ref: BlobRef, options: RangeOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { range, signal } = options;
    signal?.throwIfAborted();
    const handle = await this.#openBlob(tenant, ref);
    try {
      const { size } = await handle.stat();
      const { start, end } = cutRange(range, size);
      const hash = start === 0 && end === size ? createHash("sha256") : null;
      for (let at = start; at < end; ) {
        signal?.throwIfAborted();
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK, end - at));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0)
          throw storeError("corrupt", `The bytes of blob ${ref} end too early. Restore them from a backup.`, {
            blob: ref,
          });
        const chunk = buffer.subarray(0, bytesRead);
        hash?.update(chunk);
        at += bytesRead;
        yield chunk;
      }
      if (hash !== null && `sha256:${hash.digest("hex")}` !== ref)
        throw storeError("corrupt", `The bytes of blob ${ref} do not match its hash. Restore them from a backup.`, {
          blob: ref,
        });
    } catch (error) {
      throw toFileError(error, "Reading a blob");
    } finally {
      await handle.close();
    }
  }

  async stat(tenant: string, ref: BlobRef, options: CallOptions = {}): Promise<number | null> {
    options.signal?.throwIfAborted();
    try {
      return (await stat(this.#fileOf(tenant, ref))).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw toFileError(error, "Looking for a blob");
    }
  }

  async delete(tenant: string, ref: BlobRef, options: CallOptions = {}): Promise<void> {
    options.signal?.throwIfAborted();
    try {
      await rm(this.#fileOf(tenant, ref), { force: true });
    } catch (error) {
      throw toFileError(error, "Deleting a blob");
    }
  }

  /** Deletes a blob. Synchronous, because the caller holds a lock. */
  discard(tenant: string, ref: BlobRef, before: number): number | null {
    return deleteFileOlder(this.#fileOf(tenant, ref), before);
  }

  async *temporaryFiles(): AsyncGenerator<string> {
    for (const name of await namesIn(join(this.#root, "tmp"))) yield join(this.#root, "tmp", name);
  }

  /** Every existing blob, with the tenant as named by its folder. */
  async *files(): AsyncGenerator<BlobFile> {
    for (const tenantFolder of await namesIn(this.#root)) {
      if (!/^[0-9a-f]{32}$/.test(tenantFolder)) continue;
      for (const shard of await namesIn(join(this.#root, tenantFolder)))
        for (const name of await namesIn(join(this.#root, tenantFolder, shard))) {
          const ref = `sha256:${name}`;
          if (isBlobRef(ref)) yield { tenantFolder, ref, file: join(this.#root, tenantFolder, shard, name) };
        }
    }
  }

  #fileOf(tenant: string, ref: BlobRef): string {
    checkPart("tenant", tenant);
    if (!isBlobRef(ref)) throw storeError("bad_argument", "A blob is named by `sha256:` and 64 hexadecimal digits.");
    const hash = ref.slice("sha256:".length);
    return join(this.#root, tenantFolder(tenant), hash.slice(0, 2), hash);
  }

  async #openBlob(tenant: string, ref: BlobRef): Promise<FileHandle> {
    try {
      return await open(this.#fileOf(tenant, ref), "r");
    } catch (error) {
      if (isMissing(error)) throw storeError("not_found", `There is no blob ${ref}.`, { blob: ref });
      throw toFileError(error, "Opening a blob");
    }
  }

  /** Creates a folder and its parents, and makes their names durable. */
  async #makeFolder(folder: string): Promise<void> {
    if (this.#synced.has(folder) && existsSync(folder)) return;
    const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let each = folder; each.length >= this.#root.length; each = dirname(each)) {
      const isNew = created !== undefined && each.length >= created.length;
      if (!isNew && this.#synced.has(each)) return;
      await syncFolder(dirname(each));
      this.#synced.add(each);
    }
  }
}

export function tenantFolder(tenant: string): string {
  return createHash("sha256").update(tenant).digest("hex").slice(0, 32);
}

/** Returns null when the file does not exist or is newer than `before`. */
export function deleteFileOlder(file: string, before: number): number | null {
  try {
    const { mtimeMs, size } = statSync(file);
    if (mtimeMs > before) return null;
    unlinkSync(file);
    return size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw toFileError(error, "Removing a file");
  }
}
