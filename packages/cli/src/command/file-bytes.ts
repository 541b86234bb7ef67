/**
 * The bytes of a file, opened when they are first read. A stream that is created earlier and cannot be opened would
 * emit its error before there is a listener, which ends the process.
 */
import { createReadStream } from "node:fs";

export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
