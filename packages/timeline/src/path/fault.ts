/** Why a path was rejected. Faults are values, so that indexing a hundred thousand blocks never throws. */
import { CairnError } from "../base/error.ts";

export interface PathFault {
  readonly kind: "fault";
  readonly code: string;
  readonly problem: string;
}

export const UNSAFE: PathFault = {
  kind: "fault",
  code: "unsafe_path",
  problem: "it could leave the workspace. Use a relative path without `..`, leading drive, backslash or NUL.",
};

export const FOLDER: PathFault = badPath("it names no file. Add the file's name.");

export function badPath(problem: string): PathFault {
  return { kind: "fault", code: "bad_path", problem };
}

export function pathError(path: unknown, fault: PathFault): CairnError {
  const shown = typeof path === "string" ? path.slice(0, 120) : typeof path;
  return new CairnError(fault.code, `Path ${JSON.stringify(shown)} is refused: ${fault.problem}`, { path: shown });
}
