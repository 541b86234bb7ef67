/** The result of parsing a page or file: readable text and metadata. */
export interface ExtractRequest extends ExtractOptions {
  readonly bytes: Uint8Array;
}

export type ExtractOptions = {
  /** The assumed type of the bytes. */
  readonly kind: DocumentKind;
  /** From a header; a byte order mark takes precedence. */
  readonly charset?: string | undefined;
  /** Base of relative links; without it they stay relative. */
  readonly baseUrl?: string | undefined;
};

/** `zip`: DOCX, XLSX, PPTX, ODT and EPUB are archives, and identify themselves. */
export type DocumentKind = "html" | "markdown" | "text" | "json" | "pdf" | "zip";

export interface ExtractedPage {
  /** Markdown for pages, plain text for everything else. */
  readonly text: string;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** ISO-8601. */
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
  /** The canonical address that the page declares. */
  readonly canonical?: string | undefined;
  readonly language?: string | undefined;
  readonly pages?: number | undefined;
  /** The problem with the page, in a sentence. */
  readonly problem?: string | undefined;
}

/** Maximum length of a text. A longer one is cut, and its `problem` says so. */
export const MAX_TEXT_CHARS = 2_000_000;
