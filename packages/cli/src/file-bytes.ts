/**
 * The bytes of a file, opened when they are first read. A stream that is made earlier and cannot be opened would emit its
 * error before anybody listens, which ends the process.
 */
import { createReadStream } from "node:fs";

export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
