/**
 * The address of a file of the corpus: `corpus:///<path from the folder>`, percent-encoded per segment. The pool stores
 * it unchanged (only HTTP addresses become links), so a file keeps its SID as long as it keeps its name.
 */
const PREFIX = "corpus:///";

export function corpusUrl(path: string): string {
  return `${PREFIX}${path
    .split("/")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/")}`;
}

/** The path of a file of the corpus; null for any other address. */
export function corpusPath(url: string): string | null {
  if (!url.toLowerCase().startsWith(PREFIX)) return null;
  try {
    return url
      .slice(PREFIX.length)
      .replace(/[?#].*$/, "")
      .split("/")
      .map(decodeURIComponent)
      .join("/");
  } catch {
    return null; // The address was not written by us, because our addresses are encoded correctly.
  }
}
