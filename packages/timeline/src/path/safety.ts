/**
 * The rules for relative paths, so that no path ever leaves OUT_DIR.
 *
 * Unsafe: a `..` segment (`a..b` is a name), an absolute path, one that begins with a drive (`C:/x`), NUL, any
 * backslash. Nothing is ever decoded: `%2e%2e` and Unicode look-alikes of dots and slashes are names, and so are
 * control characters other than NUL. The workspace checks symbolic links; this file only checks the text of a path.
 */

/**
 * - `clean`: already canonical
 * - `loose`: safe, but contains `.` or empty segments, which `collapse` removes
 * - `folder`: safe, but ends in `/` or `.`, or is empty, so it names no file
 */
export type Spelling = "clean" | "loose" | "folder" | "unsafe";

const SLASH = 47;
const BACKSLASH = 92;
const DOT = 46;
const COLON = 58;

/** Classifies the relative path that starts at `from`, in one pass. */
export function spellingOf(path: string, from = 0): Spelling {
  if (path.charCodeAt(from) === SLASH) return "unsafe";
  let spelling: Spelling = "clean";
  let start = from;
  let named = false;
  for (let at = from; at <= path.length; at++) {
    const code = at < path.length ? path.charCodeAt(at) : SLASH;
    if (code === BACKSLASH || code === 0) return "unsafe";
    if (code !== SLASH) continue;
    const length = at - start;
    if (length === 0 || (length === 1 && path.charCodeAt(start) === DOT)) {
      spelling = at === path.length ? "folder" : "loose";
    } else {
      const isRoot = !named && at < path.length && isDrive(path, start);
      if (length === 2 && (isDotDot(path, start) || isRoot)) return "unsafe";
      named = true;
    }
    start = at + 1;
  }
  return spelling;
}

/** Removes `.` and empty segments from a path. */
export function collapse(path: string): string {
  return path
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}

function isDotDot(path: string, at: number): boolean {
  return path.charCodeAt(at) === DOT && path.charCodeAt(at + 1) === DOT;
}

function isDrive(path: string, at: number): boolean {
  const letter = path.charCodeAt(at) | 32;
  return letter >= 97 && letter <= 122 && path.charCodeAt(at + 1) === COLON;
}
