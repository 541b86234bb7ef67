/**
 * Reads any spelling of a path: the logical forms, the older `tc:<turn>.tool_calls.<id>.in.json|out.json|notice.json`,
 * a physical path (`turn_1/files/a.md`) and a bare `sources_pool[1-3]`.
 *
 * Details that the grammar leaves open:
 * - The version suffix is split off first, then the rest is checked: `..@v2` is as unsafe as `..`. Two suffixes, or one
 *   that is no version (`@v0`), are refused; in the name of a file, a second suffix is refused only if it is a version.
 * - `.` and empty segments inside a file's path are collapsed; a trailing one names a folder: `bad_path`.
 * - `fi:turn_1/files/a` means the same file as `fi:turn_1.files/a` and is written so.
 * - `ar:<turn>.<any dotted name>` is accepted, so that every path that was ever shown stays readable.
 */
import { CairnError } from "../base/error.ts";
import { badPath, FOLDER, type PathFault, pathError, UNSAFE } from "./fault.ts";
import { idEnd, isCallId, turnIdEnd } from "./id.ts";
import type { CallPart, ParsedPath } from "./path.ts";
import { collapse, spellingOf } from "./safety.ts";
import { parsePoolSelector } from "./selector.ts";
import { splitVersion, versionStart } from "./version.ts";

/** Reads a path, or throws `bad_path`, `unsafe_path` or `selector_too_large`. */
export function parsePath(path: string): ParsedPath {
  const parsed = readPath(path);
  if (parsed.kind === "fault") throw pathError(path, parsed);
  return parsed;
}

/** Like `parsePath`, but returns a refusal as a value. */
export function readPath(path: string): ParsedPath | PathFault {
  if (typeof path !== "string") return NOT_TEXT;
  if (path.includes("\\") || path.includes("\0")) return UNSAFE;
  const { path: base, version } = splitVersion(path);
  switch (base.slice(0, 3)) {
    case "fi:":
      return readFile(base, 3, version);
    case "tc:":
      return readToolPath(base, version) ?? UNKNOWN_CALL_PART;
    case "ar:":
      return readArtifact(base, version);
    case "so:":
      return readSelector(base, version);
    case "su:":
      return readSummary(base, version);
    case "sk:":
      return readSkill(base, version);
  }
  if (base.startsWith("sources_pool[")) return readSelector(base, version);
  const parsed = readFile(base, 0, version);
  return parsed.kind === "outdir" || parsed.kind === "code" ? NEITHER_FORM : parsed;
}

const NOT_TEXT = badPath("it is not text.");
const NEITHER_FORM = badPath(
  "it is neither a logical path (ar: fi: tc: so: su: sk:) nor a physical one (<turn>/files/<name>).",
);
const UNKNOWN_CALL_PART = badPath("write tool paths as tc:<turn>.<call>.call, .result or .notice.");
const BAD_ARTIFACT = badPath("write it as ar:<turn>.<name>, like ar:turn_1.user.prompt.");
const BAD_SUMMARY = badPath("write it as su:<turn>.conv.range.summary.");
const BAD_SKILL = badPath("write it as sk:<skill>.");
const BAD_VERSION = badPath("a version is one suffix @v<n> with n from 1, after a name.");
const BAD_SELECTOR = badPath("write it as so:sources_pool[1-3,5].");

/** Reads a file's path that starts at `from`: after `fi:`, or at 0 for a physical path. */
function readFile(base: string, from: number, version: number | null): ParsedPath | PathFault {
  const spelling = spellingOf(base, from);
  if (spelling === "unsafe" || hasAbsoluteRest(base, from)) return UNSAFE;
  if (version !== null && (spelling === "folder" || versionStart(base) < base.length)) return BAD_VERSION;
  if (spelling === "folder") return FOLDER;
  const body = spelling === "clean" ? base.slice(from) : collapse(base.slice(from));
  const turnEnd = turnIdEnd(body, 0);
  if (turnEnd > 0) {
    const turn = body.slice(0, turnEnd);
    const logical = from > 0;
    if (body.startsWith("/files/", turnEnd) || (logical && body.startsWith(".files/", turnEnd)))
      return { kind: "file", turn, rel: body.slice(turnEnd + 7), version };
    if (body.startsWith("/attachments/", turnEnd))
      return { kind: "attachment", turn, name: body.slice(turnEnd + 13), version };
    if (logical && body.startsWith(".user.attachments/", turnEnd))
      return { kind: "attachment", turn, name: body.slice(turnEnd + 18), version };
    if (body.startsWith(".code.", turnEnd)) {
      const call = body.slice(turnEnd + 6);
      if (isCallId(call)) return { kind: "code", turn, call, version };
    }
  }
  return { kind: "outdir", rel: body, version };
}

/** Detects `fi:turn_1.files//etc/passwd`, where the part after `files/` is an absolute path. */
function hasAbsoluteRest(base: string, from: number): boolean {
  const turnEnd = turnIdEnd(base, from);
  return turnEnd > 0 && (base.startsWith(".files//", turnEnd) || base.startsWith(".user.attachments//", turnEnd));
}

const LEGACY_PARTS: Readonly<Record<string, CallPart | undefined>> = {
  ".in.json": "call",
  ".out.json": "result",
  ".notice.json": "notice",
};

type CallPath = Extract<ParsedPath, { kind: "call" }>;

/** A `tc:` path without its version suffix, in either form; null for any other path. */
export function readToolPath(base: string, version: number | null): CallPath | null {
  const turnEnd = turnIdEnd(base, 3);
  if (turnEnd < 0 || base.charCodeAt(turnEnd) !== 46) return null;
  const start = turnEnd + 1;
  const end = idEnd(base, start);
  if (end === start) return null;
  const part = base.slice(end);
  if (part === ".call" || part === ".result" || part === ".notice")
    return {
      kind: "call",
      turn: base.slice(3, turnEnd),
      call: base.slice(start, end),
      part: part.slice(1) as CallPart,
      version,
    };
  if (!base.startsWith("tool_calls.", start)) return null;
  const idStart = start + 11;
  const legacyEnd = idEnd(base, idStart);
  const suffix = base.slice(legacyEnd);
  const legacy = legacyEnd > idStart && Object.hasOwn(LEGACY_PARTS, suffix) ? LEGACY_PARTS[suffix] : undefined;
  if (legacy === undefined) return null;
  return { kind: "call", turn: base.slice(3, turnEnd), call: base.slice(idStart, legacyEnd), part: legacy, version };
}

function readArtifact(base: string, version: number | null): ParsedPath | PathFault {
  if (spellingOf(base, 3) === "unsafe") return UNSAFE;
  const turnEnd = turnIdEnd(base, 3);
  if (turnEnd < 0 || base.charCodeAt(turnEnd) !== 46) return BAD_ARTIFACT;
  const name = base.slice(turnEnd + 1);
  if (name === "" || name.startsWith(".") || name.endsWith(".")) return BAD_ARTIFACT;
  if (name.includes("@v")) return BAD_VERSION;
  const turn = base.slice(3, turnEnd);
  if (!name.startsWith("react.notes.")) return { kind: "artifact", turn, name, version };
  const call = name.slice(12);
  return isCallId(call) ? { kind: "notes", turn, call, version } : BAD_ARTIFACT;
}

function readSelector(base: string, version: number | null): ParsedPath | PathFault {
  try {
    return { kind: "sources", ranges: parsePoolSelector(base), version };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return error.code === "selector_too_large"
      ? { kind: "fault", code: error.code, problem: error.message }
      : BAD_SELECTOR;
  }
}

function readSummary(base: string, version: number | null): ParsedPath | PathFault {
  const turnEnd = turnIdEnd(base, 3);
  if (turnEnd < 0 || base.slice(turnEnd) !== ".conv.range.summary") return BAD_SUMMARY;
  return { kind: "summary", turn: base.slice(3, turnEnd), version };
}

function readSkill(base: string, version: number | null): ParsedPath | PathFault {
  const spelling = spellingOf(base, 3);
  if (spelling === "unsafe") return UNSAFE;
  if (/@v[0-9]*$/.test(base)) return BAD_VERSION;
  return spelling === "clean" ? { kind: "skill", name: base.slice(3), version } : BAD_SKILL;
}
