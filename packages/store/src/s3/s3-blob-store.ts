/**
 * Blobs in an S3 service: `<prefix>/<tenant>/<first two digits>/<hash>`, the tenant as the first 32 digits of its own
 * SHA-256, as in a folder of blobs.
 *
 * An object is immutable and named by its content, so it may be written twice at once, and no conditional writes are
 * needed. An object appears whole or not at all: the service publishes an upload when its last part has arrived. An
 * interrupted read continues where it stopped. A request that gets no answer times out.
 */
import { createHash } from "node:crypto";
import { addAbortListener } from "node:events";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { type BlobRef, isBlobRef } from "@cairn/timeline";
import type { BlobInfo, ByteSource, RangeOptions } from "../contract/blob-store.ts";
import { cutRange } from "../contract/byte-range.ts";
import type { CallOptions } from "../contract/call-options.ts";
import { storeError } from "../contract/errors.ts";
import type { KeptBlobs, PutSteps } from "../contract/kept-blobs.ts";
import { checkPart } from "../contract/scope.ts";
import { tenantFolder } from "../fs/blob-folder.ts";
import { isNoObject, noBucket, toS3Error } from "./s3-error.ts";
import { parseS3Location, type S3Location } from "./s3-location.ts";
import { Spool } from "./spool.ts";

/** Size of a part of an upload; two parts are uploaded at a time. */
const PART_BYTES = 8 << 20;
const PARTS_AT_ONCE = 2;

/** Maximum attempts of a request, and of resuming an interrupted read without progress. */
const ATTEMPTS = 4;
/** Timeout without any data before a request counts as lost. */
const SILENCE_MS = 15_000;
const CONNECT_MS = 5_000;
/** Maximum time of a removal, longer than all attempts to remove an object take together. */
const REMOVAL_MS = 120_000;

export class S3BlobStore implements KeptBlobs {
  readonly removalMs = REMOVAL_MS;
  readonly #client: S3Client;
  readonly #location: S3Location;
  #isBucketKnown = false;

  constructor(client: S3Client, location: S3Location) {
    this.#client = client;
    this.#location = location;
  }

  put(tenant: string, source: ByteSource, options: CallOptions = {}): Promise<BlobInfo> {
    return this.putWith(tenant, source, { refer: async () => {} }, options);
  }

  /** Announces the bytes before they are sent, so that those of a dead process are found without listing the bucket. */
  async putWith(
    tenant: string,
    source: ByteSource,
    { announce, refer }: PutSteps,
    options: CallOptions = {},
  ): Promise<BlobInfo> {
    checkPart("tenant", tenant);
    const spool = new Spool();
    try {
      const blob = await spool.fill(source, options.signal);
      const key = this.#keyOf(tenant, blob.ref);
      await announce?.(blob);
      if ((await this.stat(tenant, blob.ref, options)) !== blob.size) await this.#upload(key, spool, options.signal);
      await refer(blob);
      if ((await this.stat(tenant, blob.ref, options)) === null) await this.#upload(key, spool, options.signal);
      return blob;
    } finally {
      await spool.close();
    }
  }

  async *get(tenant: string, ref: BlobRef, options: RangeOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { range, signal } = options;
    signal?.throwIfAborted();
    const size = await this.stat(tenant, ref, options);
    if (size === null) throw storeError("not_found", `There is no blob ${ref}.`, { blob: ref });
    const { start, end } = cutRange(range, size);
    const hash = start === 0 && end === size ? createHash("sha256") : null;
    for await (const chunk of this.#read(this.#keyOf(tenant, ref), start, end, signal)) {
      hash?.update(chunk);
      yield chunk;
    }
    if (hash !== null && `sha256:${hash.digest("hex")}` !== ref)
      throw storeError("corrupt", `The bytes of blob ${ref} do not match its hash. Restore them from a backup.`, {
        blob: ref,
      });
  }

  async stat(tenant: string, ref: BlobRef, options: CallOptions = {}): Promise<number | null> {
    const { signal } = options;
    signal?.throwIfAborted();
    try {
      const command = new HeadObjectCommand({ Bucket: this.#location.bucket, Key: this.#keyOf(tenant, ref) });
      return (await this.#client.send(command, sendOptions(signal))).ContentLength ?? 0;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isNoObject(error)) throw toS3Error(error, "Looking for a blob");
      await this.#requireBucket(signal);
      return null;
    }
  }

  async delete(tenant: string, ref: BlobRef, options: CallOptions = {}): Promise<void> {
    const { signal } = options;
    signal?.throwIfAborted();
    try {
      const command = new DeleteObjectCommand({ Bucket: this.#location.bucket, Key: this.#keyOf(tenant, ref) });
      await this.#client.send(command, sendOptions(signal));
    } catch (error) {
      signal?.throwIfAborted();
      throw toS3Error(error, "Deleting a blob");
    }
  }

  async discard(tenant: string, ref: BlobRef, _before: number, options: CallOptions = {}): Promise<number | null> {
    const size = await this.stat(tenant, ref, options);
    if (size !== null) await this.delete(tenant, ref, options);
    return size;
  }

  close(): void {
    this.#client.destroy();
  }

  /** A missing bucket and a missing object give the same answer, but a wrong address must not look like lost bytes. */
  async #requireBucket(signal: AbortSignal | undefined): Promise<void> {
    if (this.#isBucketKnown) return;
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#location.bucket }), sendOptions(signal));
      this.#isBucketKnown = true;
    } catch (error) {
      signal?.throwIfAborted();
      throw isNoObject(error) ? noBucket("Looking for a blob", "NotFound") : toS3Error(error, "Looking for a blob");
    }
  }

  async #upload(key: string, spool: Spool, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#location.bucket, Key: key, Body: spool.body(), ContentType: "application/octet-stream" },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    using _ = signal && addAbortListener(signal, () => void upload.abort());
    try {
      await upload.done();
    } catch (error) {
      await this.#forget(key, upload.uploadId);
      signal?.throwIfAborted();
      throw toS3Error(error, "Storing a blob");
    }
  }

  /** Aborts an unfinished upload, because its parts cost money until then. */
  async #forget(key: string, uploadId: string | undefined): Promise<void> {
    if (uploadId === undefined) return;
    try {
      const { bucket: Bucket } = this.#location;
      await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key: key, UploadId: uploadId }));
    } catch {
      // Errors of the abort are ignored: the caller needs that of the upload, and a lifecycle rule removes the remains.
    }
  }

  /** The bytes from `start` up to `end`, resumed where a connection broke. */
  async *#read(key: string, start: number, end: number, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    let at = start;
    for (let attempt = 1; at < end; attempt++) {
      try {
        const body = await this.#open(key, at, end, signal);
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          signal?.throwIfAborted();
          at += chunk.length;
          attempt = 0;
          yield chunk;
        }
        if (at < end && attempt === ATTEMPTS)
          throw storeError("corrupt", `The S3 object ${key} ends too early. Restore it from a backup.`, {
            key,
            at,
            end,
          });
      } catch (error) {
        signal?.throwIfAborted();
        if (isNoObject(error))
          throw storeError("not_found", `The S3 object ${key} no longer exists. Restore it from a backup.`, { key });
        if (attempt === ATTEMPTS) throw toS3Error(error, "Reading a blob");
      }
    }
  }

  async #open(key: string, start: number, end: number, signal: AbortSignal | undefined): Promise<Readable> {
    const command = new GetObjectCommand({
      Bucket: this.#location.bucket,
      Key: key,
      Range: `bytes=${start}-${end - 1}`,
    });
    const { Body } = await this.#client.send(command, sendOptions(signal));
    if (Body === undefined) throw storeError("io", `The S3 service returned no body for ${key}. Try again.`, { key });
    return Body as Readable;
  }

  #keyOf(tenant: string, ref: BlobRef): string {
    checkPart("tenant", tenant);
    if (!isBlobRef(ref)) throw storeError("bad_argument", "A blob is named by `sha256:` and 64 hexadecimal digits.");
    const hash = ref.slice("sha256:".length);
    const { prefix } = this.#location;
    return `${prefix === "" ? "" : `${prefix}/`}${tenantFolder(tenant)}/${hash.slice(0, 2)}/${hash}`;
  }
}

export interface S3Options {
  /** Timeout without any data before a request is retried or fails; default 15,000. */
  readonly silenceMs?: number;
}

/**
 * Opens the blobs of an address.
 *
 * @example
 * const blobs = openS3BlobStore("s3://cairn/blobs?region=eu-central-1");
 */
export function openS3BlobStore(address: string, { silenceMs = SILENCE_MS }: S3Options = {}): S3BlobStore {
  const location = parseS3Location(address);
  const { region, endpoint } = location;
  const client = new S3Client({
    region,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: Math.min(CONNECT_MS, silenceMs), socketTimeout: silenceMs },
    // The SDK's checksums are off: services other than AWS often reject them, and reads are checked by the address.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  });
  return new S3BlobStore(client, location);
}

function sendOptions(signal: AbortSignal | undefined) {
  return signal === undefined ? {} : { abortSignal: signal };
}
