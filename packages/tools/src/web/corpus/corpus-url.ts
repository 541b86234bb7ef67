/**
 * The address of a file of the corpus: `corpus:///<path from the folder>`, percent-encoded a segment at a time. The pool
 * keeps it as it is (no scheme but HTTP becomes a link), so that a file has one SID for as long as it has its name.
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
    return null; // Nothing we wrote: ours are well encoded.
  }
}
