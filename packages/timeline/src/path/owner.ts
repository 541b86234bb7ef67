/** The call and the turn of a path. These functions run for every block, so they neither throw nor allocate much. */
import { idEnd, turnIdEnd } from "./id.ts";
import { readToolPath } from "./parse.ts";
import { versionStart } from "./version.ts";

/** The call id in a `tc:` path (either form), a notes path or a code path; null for any other. */
export function callOfPath(path: string): string | null {
  if (path.charCodeAt(2) !== 58) return null;
  switch (path.charCodeAt(0)) {
    case 116: // t
      return path.charCodeAt(1) === 99 ? (readToolPath(withoutVersion(path), null)?.call ?? null) : null;
    case 97: // a
      return path.charCodeAt(1) === 114 ? idAfter(path, ".react.notes.") : null;
    case 102: // f
      return path.charCodeAt(1) === 105 ? idAfter(path, ".code.") : null;
    default:
      return null;
  }
}

/** The turn id in a logical or physical path; null for `so:`, `sk:` and files outside any turn. */
export function turnOfPath(path: string): string | null {
  const logical = path.charCodeAt(2) === 58;
  const start = logical ? 3 : 0;
  const end = turnIdEnd(path, start);
  if (end < 0) return null;
  const next = path.charCodeAt(end);
  if (!logical) return next === 47 ? path.slice(0, end) : null;
  if (next !== 46 && next !== 47) return null;
  const prefix = path.slice(0, 3);
  return prefix === "ar:" || prefix === "fi:" || prefix === "tc:" || prefix === "su:" ? path.slice(start, end) : null;
}

function idAfter(path: string, name: string): string | null {
  const turnEnd = turnIdEnd(path, 3);
  if (turnEnd < 0 || !path.startsWith(name, turnEnd)) return null;
  const start = turnEnd + name.length;
  const end = idEnd(path, start);
  return end > start && end === versionStart(path) ? path.slice(start, end) : null;
}

function withoutVersion(path: string): string {
  const start = versionStart(path);
  return start === path.length ? path : path.slice(0, start);
}
