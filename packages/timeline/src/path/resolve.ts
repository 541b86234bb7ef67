/** Converts any spelling of a path to its canonical spelling, and to the file it names. */
import { parsePath, readPath } from "./parse.ts";
import { formatPath, type LogicalPath, type PhysicalPath, physicalOf } from "./path.ts";

export interface ResolvedPath {
  /** The logical path, including its version suffix. */
  readonly logical: LogicalPath;
  /** The file, independent of the version; null for a path that is not a file. */
  readonly physical: PhysicalPath | null;
}

/** Throws `bad_path`, `unsafe_path` or `selector_too_large`. */
export function resolvePath(path: string): ResolvedPath {
  const parsed = parsePath(path);
  return { logical: formatPath(parsed), physical: physicalOf(parsed) };
}

/** The canonical spelling, or null when it is not a path; used to index blocks. */
export function canonicalPath(path: string): string | null {
  const parsed = readPath(path);
  if (parsed.kind === "fault") return null;
  const canonical = formatPath(parsed);
  return canonical === path ? path : canonical;
}
