/**
 * The offline model: an extractive assistant with the same interface as every other model, without a network. The
 * offline model reads attached files, searches, quotes matching sentences with citations, keeps notes, writes reports
 * of quotations, converts reports to documents and runs programs that the user pastes. Its modules are loaded with its
 * first request, because most agents never use it.
 */
import type { Model } from "../model/model.ts";
import { type DocumentReading, readDocument } from "../reader/read-document.ts";
import type { SearchPlace } from "./search-place.ts";

export interface OfflineOptions {
  /** Delay in milliseconds before each piece of text, to make streaming visible; default 0. */
  readonly delayMs?: number;
  /** Reads the text of a PDF. */
  readonly readPdf?: (bytes: Uint8Array) => Promise<DocumentReading>;
  /** Where the search tool searches, so that the model can name the place and list the titles. */
  readonly place?: SearchPlace | null;
}

/** Maximum number of documents whose text is cached between requests. */
const MAX_DOCUMENTS = 32;

const readAsPdf = (bytes: Uint8Array) => readDocument(bytes, "pdf");

export function offlineModel({ delayMs = 0, readPdf = readAsPdf, place = null }: OfflineOptions = {}): Model {
  const known = new Map<string, Promise<DocumentReading>>();
  return {
    id: "offline",
    provider: "automatic",
    contextTokens: 200_000,
    maxOutputTokens: 8_000,
    prices: { input: 0, output: 0, cacheRead: 1, cacheWrite: 1 },
    async *stream(request, { signal }) {
      const { streamDecision } = await import("./stream-decision.ts");
      yield* streamDecision(request, signal, delayMs, place, (key, load) =>
        remember(known, key, async () => readPdf(Buffer.from(await load(), "base64"))),
      );
    },
  };
}

/** Returns the cached result, or reads and caches it. A full cache drops the oldest result; failures are not cached. */
function remember(
  known: Map<string, Promise<DocumentReading>>,
  key: string,
  read: () => Promise<DocumentReading>,
): Promise<DocumentReading> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const reading = read();
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  const [oldest] = known.keys();
  if (known.size > MAX_DOCUMENTS && oldest !== undefined) known.delete(oldest);
  return reading;
}
