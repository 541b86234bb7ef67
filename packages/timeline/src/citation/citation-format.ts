/** The formats a cited text comes in, and the checks at the border that every citation function shares. */
import { CairnError } from "../base/error.ts";

const CITATION_FORMATS = ["markdown", "html", "json", "yaml"] as const;
export type CitationFormat = (typeof CITATION_FORMATS)[number];

export function checkFormat(format: CitationFormat): void {
  if (!CITATION_FORMATS.includes(format))
    throw new CairnError("bad_format", `Unknown citation format. Use one of ${CITATION_FORMATS.join(", ")}.`, {
      format,
    });
}

export function checkText(text: string): void {
  if (typeof text !== "string")
    throw new CairnError("bad_text", "Citations are read from text. Pass a string.", { type: typeof text });
}
