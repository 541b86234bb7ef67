/** How the citations of a file are read, by its type. */
import type { CitationFormat } from "@cairn/timeline";

/** Maximum number of ids; a token of a few characters can name a thousand. */
export const MAX_SOURCES = 1_000;

export function citationFormat(mime: string): CitationFormat {
  if (mime === "text/html") return "html";
  if (mime === "application/json") return "json";
  return mime === "application/yaml" ? "yaml" : "markdown";
}
