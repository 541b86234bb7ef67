/**
 * The version suffix `@v<n>`: n from 1, at most nine digits, no leading zero. The suffix may follow any path and takes
 * precedence over a name, so a file whose real name ends in `@v2` cannot be addressed, and writing never creates one
 * (see `rewrite.ts`).
 */

/** Index where the version suffix of `path` starts, or `path.length` when it has none. */
export function versionStart(path: string): number {
  let at = path.length;
  while (at > 0 && path.length - at < 10 && isDigit(path.charCodeAt(at - 1))) at--;
  const digits = path.length - at;
  if (digits === 0 || digits > 9 || path.charCodeAt(at) === 48) return path.length;
  return path.charCodeAt(at - 1) === 118 && path.charCodeAt(at - 2) === 64 ? at - 2 : path.length;
}

/** The path without its version suffix, and the version it names (null: the latest). */
export function splitVersion(path: string): { path: string; version: number | null } {
  const start = versionStart(path);
  if (start === path.length) return { path, version: null };
  return { path: path.slice(0, start), version: Number(path.slice(start + 2)) };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
