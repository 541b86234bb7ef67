/** Finds a program: in the system's folders first, then on the PATH. The result is cached. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const SYSTEM = ["/usr/bin", "/bin", "/usr/local/bin"];
const known = new Map<string, string>();

export function findProgram(name: string): string | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  for (const folder of [...SYSTEM, ...(process.env.PATH ?? "").split(delimiter)]) {
    const path = join(folder, name);
    if (!isProgram(path)) continue;
    known.set(name, path);
    return path;
  }
  return null;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // The file does not exist or is not executable.
  }
}
