/**
 * Replaces the citation tokens of a whole text: one push through `createCitationStream`, so that a whole text and a
 * stream can never differ. `citation-stream.ts` describes how a token is replaced, `source-link.ts` the form of a link.
 */
import type { CitationFormat } from "./citation-format.ts";
import { createCitationStream } from "./citation-stream.ts";
import type { CitedSource, SourceLookup } from "./cited-source.ts";

/**
 * @example
 * replaceCitations("Fact [[S:1]].", [{ sid: 1, title: "One", url: "https://e.com/1" }], "markdown");
 * // "Fact [One](https://e.com/1)."
 */
export function replaceCitations(
  text: string,
  pool: readonly CitedSource[] | SourceLookup,
  format: CitationFormat,
): string {
  const stream = createCitationStream(pool, format);
  const settled = stream.push(text);
  return settled + stream.flush();
}
