/** The input and output of a document reader. */

/** A ZIP archive may be a DOCX, XLSX, PPTX, ODT or EPUB file. Its entries tell which. */
export type DocumentFormat = "pdf" | "zip" | "html";

export interface DocumentText {
  /** The text; empty when the document has none. `problem` then says why. */
  readonly text: string;
  readonly problem?: string | undefined;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** The dates are in ISO 8601. */
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
  readonly pages?: number | undefined;
}
