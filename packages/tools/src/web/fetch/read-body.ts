/** Reads and decompresses a response up to its limits: a small response can expand to gigabytes. */
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from "node:zlib";
import { CairnError, errorCode } from "@cairn/timeline";
import type { FetchLimits } from "./fetch-limits.ts";

const MAX_ENCODINGS = 2;

/** Throws `page_too_large`, or `bad_encoding` for bytes that cannot be decompressed. */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  limits: Pick<FetchLimits, "wireBytes" | "bodyBytes">,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const encodings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && each !== "identity");
  if (encodings.length > MAX_ENCODINGS) throw badEncoding(`it is compressed ${encodings.length} times`);
  let source = counted(body, limits.wireBytes, "as it is sent");
  for (const encoding of encodings.toReversed()) source = unpacked(source, encoding);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of counted(source, limits.bodyBytes, "unpacked")) chunks.push(chunk);
  } catch (error) {
    signal.throwIfAborted();
    if (isZlibError(error)) throw badEncoding(`its bytes are not valid ${encodings.join(" in ")}`);
    throw error;
  }
  return Buffer.concat(chunks);
}

async function* counted(source: AsyncIterable<Uint8Array>, limit: number, side: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > limit)
      throw new CairnError("page_too_large", `The page is larger than ${limit} bytes ${side}. It was not read.`, {
        limit_bytes: limit,
      });
    yield chunk;
  }
}

async function* unpacked(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const packed = source[Symbol.asyncIterator]();
  const first = await packed.next();
  if (first.done === true) return;
  const unpacker = unpackerFor(encoding, first.value);
  const feed = async () => {
    for (let next: IteratorResult<Uint8Array> = first; next.done !== true; next = await packed.next())
      await write(unpacker, next.value);
    unpacker.end();
  };
  // A write fails when reading has stopped; the stream is then already destroyed.
  feed().catch((error: Error) => unpacker.destroy(error));
  yield* unpacker;
}

/** Waits until the chunk is decompressed, so that at most one is buffered. */
function write(stream: Transform, chunk: Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(chunk, (error) => (error ? fail(error) : done()));
  });
}

function unpackerFor(encoding: string, first: Uint8Array): Transform {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return createZstdDecompress();
    case "deflate":
      // Some servers send a raw deflate stream as `deflate`; a zlib header has method 8 in its low bits.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw badEncoding(`it has the unsupported content encoding ${encoding.slice(0, 40)}`);
  }
}

function badEncoding(problem: string): CairnError {
  return new CairnError("bad_encoding", `The page cannot be decompressed: ${problem}.`);
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_ZSTD|ZSTD_|ERR_ZLIB|ERR__|ERR_PADDING)/.test(errorCode(error));
}
