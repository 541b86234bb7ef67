/**
 * A reader parses untrusted bytes: a PDF, an office file, a web page. It is one module whose default export is a
 * function from bytes and options to JSON, and the code that uses it has one `defineReader` line. A reader runs in a
 * process of its own (`reader-host.ts`), so a reader that crashes or exceeds its limits does not harm the server.
 */
import type { Json, JsonObject } from "@cairn/timeline";

/** The default export of a reader's module. It throws a `CairnError` to choose the error that its caller sees. */
export type Read<O extends JsonObject, R> = (bytes: Uint8Array, options: O) => R | Promise<R>;

export interface Reader<O extends JsonObject, R> {
  /** URL of the module that contains the reader. */
  readonly module: string;
  /** Used for types only: the options and the result of the reader. */
  readonly types?: { readonly options: O; readonly result: R };
}

export function defineReader<O extends JsonObject, R extends Json | object>(module: URL): Reader<O, R> {
  return { module: module.href };
}
