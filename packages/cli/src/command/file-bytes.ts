/** The bytes of a file. It is opened at the first read, because an earlier error would have no listener. */
import { createReadStream } from "node:fs";

export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
