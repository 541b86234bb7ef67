/**
 * Detects a written document that is too small to be valid: its format alone takes more bytes, so its content was
 * probably lost. A PDF under 500 bytes is too small, a DOCX or XLSX under 1,000 bytes, and a PPTX under 2,000. Other
 * formats may be of any size.
 */
const MIN_BYTES: ReadonlyMap<string, number> = new Map([
  ["pdf", 500],
  ["application/pdf", 500],
  ["docx", 1_000],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", 1_000],
  ["xlsx", 1_000],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 1_000],
  ["pptx", 2_000],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", 2_000],
]);

/** The `write_warning` of a file, given its media type (parameters ignored) or its name. */
export function writeWarning(mimeOrName: string, sizeBytes: number): "file_unusually_small" | null {
  if (typeof mimeOrName !== "string") return null;
  const lower = mimeOrName.toLowerCase();
  const mime = lower.split(";", 1)[0]?.trim() ?? "";
  const dot = lower.lastIndexOf(".");
  const smallest = MIN_BYTES.get(mime) ?? (dot === -1 ? undefined : MIN_BYTES.get(lower.slice(dot + 1).trim()));
  return smallest !== undefined && sizeBytes < smallest ? "file_unusually_small" : null;
}
