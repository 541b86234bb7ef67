/** The bytes of a file, opened when first read: an earlier error would find no listener and end the process. */
import { createReadStream } from "node:fs";

export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
