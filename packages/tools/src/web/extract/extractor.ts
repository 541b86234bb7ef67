/** Parses pages in reader processes: a page that exceeds its limits ends its process and not the server. */
import { defineReader, type ProcessPoolOptions, ReaderHost, sharedReaders } from "@cairn/agent/reader";
import { extract } from "./extract.ts";
import type { ExtractedPage, ExtractOptions, ExtractRequest } from "./page.ts";

const pageReader = defineReader<ExtractOptions, ExtractedPage>(new URL("./page.reader.ts", import.meta.url));

export class Extractor {
  readonly #own: ReaderHost | null;

  /** Without options, pages use the shared reader processes. */
  constructor(options?: Partial<ProcessPoolOptions>) {
    this.#own = options === undefined ? null : new ReaderHost(options);
  }

  /** Throws `unreadable`, or `too_large` for a page over the limits. */
  async extract({ bytes, ...options }: ExtractRequest, signal?: AbortSignal): Promise<ExtractedPage> {
    // Plain text is only decoded, which is cheaper than sending it to a process.
    if (options.kind === "text" || options.kind === "markdown") return await extract({ bytes, ...options });
    return await (this.#own ?? sharedReaders).read(pageReader, bytes, options, signal);
  }

  async close(): Promise<void> {
    await this.#own?.close();
  }
}
