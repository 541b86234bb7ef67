/** The input and output of a document reader. */

/** For a ZIP archive, its content tells which of the ZIP-based formats it is. */
export type DocumentFormat = "pdf" | "zip" | "html";

export interface DocumentText {
  /** Empty when the document has no text; `problem` then says why. */
  readonly text: string;
  readonly problem?: string | undefined;
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** ISO-8601. */
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
  readonly pages?: number | undefined;
}
