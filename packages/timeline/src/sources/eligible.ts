/**
 * Which rows may enter the pool: web rows and rows that a person entered (`manual`) always; others by their MIME type:
 * `text/*`, `image/*` or `application/pdf`, parameters and case ignored. Internal files never.
 */
export interface Candidate {
  readonly source_type?: string | null | undefined;
  readonly mime?: string | null | undefined;
  readonly visibility?: string | null | undefined;
}

export function isEligible({ source_type, mime, visibility }: Candidate): boolean {
  if (source_type === "web" || source_type === "manual") return true;
  if (visibility === "internal") return false;
  const type = mimeType(mime);
  return /^(?:text|image)\/./.test(type) || type === "application/pdf";
}

/** Whether a row's content is bytes a model reads as such: an image or a PDF. */
export function isBinary(mime: unknown): boolean {
  const type = mimeType(mime);
  return type.startsWith("image/") || type === "application/pdf";
}

/** The MIME type in lower case, without parameters; empty when there is none. */
function mimeType(mime: unknown): string {
  if (typeof mime !== "string") return "";
  const end = mime.indexOf(";");
  return (end < 0 ? mime : mime.slice(0, end)).trim().toLowerCase();
}
