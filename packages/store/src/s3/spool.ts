/**
 * Buffers bytes for a service that needs their address first: they are hashed on arrival and kept in memory, or in a
 * temporary file if they are many. The bytes can be read again for each upload attempt.
 */
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { BlobInfo, ByteSource } from "../contract/blob-store.ts";
import { storeError } from "../contract/errors.ts";
import { toFileError } from "../fs/file-error.ts";

const MAX_IN_MEMORY = 1 << 20;

export class Spool {
  readonly #chunks: Uint8Array[] = [];
  #file: { readonly handle: FileHandle; readonly name: string } | null = null;
  #size = 0;

  /** Reads the whole source. Call it once, and `close` in any case. */
  async fill(source: ByteSource, signal: AbortSignal | undefined): Promise<BlobInfo> {
    const hash = createHash("sha256");
    for await (const chunk of source) {
      signal?.throwIfAborted();
      hash.update(chunk);
      await this.#keep(chunk);
    }
    signal?.throwIfAborted();
    return { ref: `sha256:${hash.digest("hex")}`, size: this.#size };
  }

  /** The bytes if they are in memory, otherwise a stream of them. */
  body(): Uint8Array | Readable {
    if (this.#file === null) return Buffer.concat(this.#chunks);
    return this.#file.handle.createReadStream({ start: 0, end: this.#size - 1, autoClose: false });
  }

  async close(): Promise<void> {
    if (this.#file === null) return;
    await this.#file.handle.close();
    await rm(this.#file.name, { force: true });
  }

  async #keep(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.length;
    // The chunk is copied, because a source may reuse its buffer.
    if (this.#file === null && this.#size <= MAX_IN_MEMORY) {
      this.#chunks.push(Uint8Array.from(chunk));
      return;
    }
    try {
      this.#file ??= await this.#open();
      await writeWhole(this.#file.handle, chunk);
    } catch (error) {
      throw toFileError(error, "Keeping a blob for its upload");
    }
  }

  async #open(): Promise<{ handle: FileHandle; name: string }> {
    const name = join(tmpdir(), `cairn-upload-${randomUUID()}`);
    const handle = await open(name, "wx+", 0o600);
    for (const chunk of this.#chunks.splice(0)) await writeWhole(handle, chunk);
    return { handle, name };
  }
}

async function writeWhole(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, at);
    if (bytesWritten === 0) throw storeError("io", "The temporary file is already complete and accepts no more bytes.");
    at += bytesWritten;
  }
}
