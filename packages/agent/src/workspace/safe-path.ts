/**
 * Resolves a physical path to a place inside OUT_DIR. First its text is checked: a `..` segment, an absolute path, a
 * drive, NUL and any backslash are rejected. Then links are resolved: no link in the path, including its last name, may
 * lead outside.
 */
import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { CairnError } from "@cairn/timeline";
import { ifMissing } from "./missing-file.ts";

/** The path in canonical form. Throws `unsafe_path`, or `bad_path` for an empty path. */
export function checkSpelling(path: string): string {
  if (typeof path !== "string") throw new CairnError("bad_path", `A path must be text, not a ${typeof path}.`);
  if (path.includes("\0") || path.includes("\\") || path.startsWith("/") || /^[A-Za-z]:\//.test(path))
    throw refuse("unsafe_path", path, "it could leave the workspace. Use a path relative to it.");
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw refuse("unsafe_path", path, "it could leave the workspace. Leave out `..`.");
  // A path with a lone surrogate is refused: the file system would replace it, so two names could become one.
  if (!path.isWellFormed()) throw refuse("bad_path", path, "it is not well-formed Unicode.");
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_LENGTH))
    throw refuse("bad_path", path, `a name in it takes more than ${MAX_NAME_LENGTH} bytes.`);
  return segments.join("/");
}

const MAX_NAME_LENGTH = 255;

export function checkFile(path: string): string {
  const checked = checkSpelling(path);
  if (checked === "" || path.endsWith("/") || path.endsWith("/."))
    throw refuse("bad_path", path, "it has no file name.");
  return checked;
}

/** The absolute place of a checked path, links resolved. Throws `unsafe_path` when a link leads out of `root`. */
export async function placeIn(root: string, path: string): Promise<string> {
  let place = root;
  const segments = path.split("/");
  for (const [at, segment] of segments.entries()) {
    const next = join(place, segment);
    const stat = await lstat(next).catch(ifMissing(null));
    if (stat === null) return join(next, ...segments.slice(at + 1));
    place = stat.isSymbolicLink() ? await resolveLink(root, next, path) : next;
  }
  return place;
}

async function resolveLink(root: string, link: string, path: string): Promise<string> {
  let target: string;
  try {
    target = await realpath(link);
  } catch {
    throw refuse("unsafe_path", path, "it contains a link to a file that does not exist.");
  }
  if (target !== root && !target.startsWith(root + sep))
    throw refuse("unsafe_path", path, "it contains a link that leads out of the workspace.");
  return target;
}

export function refuse(code: "unsafe_path" | "bad_path" | "too_large", path: string, problem: string): CairnError {
  const shown = path.slice(0, 200);
  return new CairnError(code, `Path ${JSON.stringify(shown)} is refused: ${problem}`, { path: shown });
}
