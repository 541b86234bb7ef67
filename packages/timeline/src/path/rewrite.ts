/**
 * The destination of a write. Files are written to the current turn only, as `<current turn>/files/<rel>`; any other
 * path is rewritten, and `rewriteNotice` tells the agent. A path that already has this form is left unchanged.
 *
 * Details that the rule leaves open:
 * - `turn_1/report.md` lacks only `files/`, so its `rel` is `report.md`. A turn's folder itself (`turn_1/files`) names
 *   no file.
 * - `fi:<outdir-relative>` is read like the bare relative path.
 * - A version suffix is dropped, from physical paths too: a file written under `a@v2` could not be read by its own
 *   path.
 * - `user.attachments/`, as logical paths spell it, is an attachments path too.
 */
import { badPath, FOLDER, type PathFault, pathError, UNSAFE } from "./fault.ts";
import { isTurnId, turnIdEnd } from "./id.ts";
import { readPath } from "./parse.ts";
import type { LogicalPath, ParsedPath, PhysicalPath } from "./path.ts";
import { collapse, spellingOf } from "./safety.ts";
import { versionStart } from "./version.ts";

export interface RewrittenPath {
  readonly logical: LogicalPath;
  readonly physical: PhysicalPath;
  /** The path below `<current turn>/files/`. */
  readonly rel: string;
  /** Whether the caller wrote anything but the canonical physical path. */
  readonly rewritten: boolean;
}

/** Throws `unsafe_path`, or `bad_path` for a path without a file name and for a current turn that is not a turn id. */
export function rewritePath(path: string, currentTurn: string): RewrittenPath {
  if (typeof currentTurn !== "string" || !isTurnId(currentTurn)) throw pathError(currentTurn, BAD_TURN);
  const rel = relOf(path);
  if (typeof rel !== "string") throw pathError(path, rel);
  const physical = `${currentTurn}/files/${rel}` as PhysicalPath;
  return { logical: `fi:${currentTurn}.files/${rel}` as LogicalPath, physical, rel, rewritten: physical !== path };
}

export interface RewriteNotice {
  readonly code: "protocol_violation.path_rewritten";
  readonly message: string;
  readonly from: string;
  readonly to: string;
}

/** The notice that a rewrite adds to the timeline. */
export function rewriteNotice(from: string, to: string): RewriteNotice {
  return {
    code: "protocol_violation.path_rewritten",
    message: `${from} was written to ${to}: files are written to the current turn.`,
    from,
    to,
  };
}

const BAD_TURN = badPath("the current turn must be a turn id, like turn_1.");
const NOT_WRITABLE = badPath("only files can be written. Write to <current turn>/files/<name>.");

function relOf(path: string): string | PathFault {
  if (typeof path !== "string") return NOT_WRITABLE;
  const base = withoutVersions(path);
  if (!/^(?:fi|ar|tc|so|su|sk):/.test(base)) return physicalRel(base);
  const parsed = readPath(base);
  return parsed.kind === "fault" ? parsed : logicalRel(parsed);
}

function logicalRel(parsed: ParsedPath): string | PathFault {
  switch (parsed.kind) {
    case "file":
      return parsed.rel;
    case "attachment":
      return parsed.name;
    case "outdir":
      return physicalRel(parsed.rel);
    default:
      return NOT_WRITABLE;
  }
}

function physicalRel(base: string): string | PathFault {
  const spelling = spellingOf(base);
  if (spelling === "unsafe") return UNSAFE;
  if (spelling === "folder") return FOLDER;
  const path = spelling === "clean" ? base : collapse(base);
  const turnEnd = turnIdEnd(path, 0);
  const inTurn = turnEnd > 0 && path.charCodeAt(turnEnd) === 47;
  const rest = inTurn ? path.slice(turnEnd + 1) : path;
  if (rest.startsWith("files/")) return rest.slice(6);
  if (rest.startsWith("attachments/")) return rest.slice(12);
  if (rest.startsWith("user.attachments/")) return rest.slice(17);
  if (inTurn && (rest === "files" || rest === "attachments")) return FOLDER;
  return rest;
}

function withoutVersions(path: string): string {
  let base = path;
  for (let start = versionStart(base); start < base.length; start = versionStart(base)) base = base.slice(0, start);
  return base;
}
