/** What is made of the bytes of a page or file: readable text, and what it says about itself. */
export interface ExtractRequest extends ExtractOptions {
  readonly bytes: Uint8Array;
}

export type ExtractOptions = {
  /** What to take the bytes for. */
  readonly kind: DocumentKind;
  /** From a header, if one said; a byte order mark has the last word. */
  readonly charset?: string | undefined;
  /** Where relative links lead from; without it they stay as they are. */
  readonly baseUrl?: string | undefined;
};

/** `zip`: DOCX, XLSX, PPTX, ODT and EPUB are archives, and say themselves which they are. */
export type DocumentKind = "html" | "markdown" | "text" | "json" | "pdf" | "zip";

export interface ExtractedPage {
  /** Markdown for pages, plain text for everything else. */
  readonly text: string;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** ISO-8601. */
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
  /** The address the page wants to be known by. */
  readonly canonical?: string | undefined;
  readonly language?: string | undefined;
  readonly pages?: number | undefined;
  /** What could not be read, in a sentence. */
  readonly problem?: string | undefined;
}

/** Longer texts are cut, and their `problem` says so. */
export const MOST_TEXT_CHARS = 2_000_000;
