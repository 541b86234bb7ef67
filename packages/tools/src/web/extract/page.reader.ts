/** Reads a page or document as readable text, in a child process. */
import { extract } from "./extract.ts";
import type { ExtractedPage, ExtractOptions } from "./page.ts";

export default function readPage(bytes: Uint8Array, options: ExtractOptions): Promise<ExtractedPage> {
  return extract({ bytes, ...options });
}
