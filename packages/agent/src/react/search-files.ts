/**
 * `react.search_files`: finds files by name and by content, in the workspace and among the files that the timeline
 * mentions. Names take wildcards; content is searched for a plain text, line by line, in documents as `react.read`
 * shows them. The tool has no regular expressions, so that no pattern of a model can take exponential time.
 */
import { setImmediate } from "node:timers/promises";
import { CairnError, canonicalPath, type Json, type JsonObject, LineWalk, resolvePath } from "@cairn/timeline";
import { z } from "zod";
import { partNamed } from "../reader/document/parts.ts";
import { defineTool, type ToolContext } from "../tool/tool.ts";
import { mimeOfName } from "../workspace/media.ts";
import { fileText } from "./file-text.ts";
import { compileGlob } from "./glob.ts";

const params = z.object({
  name: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      "A file name with wildcards, such as *.md, or a path such as turn_1/files/**/*.csv. Case does not matter.",
    ),
  text: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe("A text that must stand in one line of the file, as it is. No patterns."),
  ignore_case: z.boolean().default(true),
  limit: z.number().int().min(1).max(100).default(20).describe("How many files are listed at most."),
});

type FileParams = z.output<typeof params>;

const MAX_FILES = 10_000;
const FILES_AT_ONCE = 50;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const LINES_A_FILE = 10;
const LINE_CHARS = 200;

export const searchFilesTool = defineTool({
  id: "react.search_files",
  description:
    "Find files of this conversation by name (wildcards) and by a text in them. Gives logical paths to read, physical " +
    "paths to patch, and the lines that match.",
  params,
  builtin: true,
  traits: {
    label: {
      icon: "search",
      done: "Looked through files for",
      doing: "Look through files for",
      shows: { params: ["text", "name"], as: "quote" },
    },
  },
  idempotent: true,
  visibility: async () => "mixed",
  run: async (given, context) => {
    if (given.name === undefined && given.text === undefined)
      throw new CairnError("bad_query", "Say what to look for: `name`, `text` or both.");
    return { ok: true, ret: await searchFiles(given, context) };
  },
});

async function searchFiles({ name, text, ignore_case, limit }: FileParams, context: ToolContext): Promise<JsonObject> {
  const listed = await context.workspace.list("", MAX_FILES);
  const known = new Set([...listed, ...context.files()]);
  const isNamed = name === undefined ? () => true : compileGlob(name);
  const candidates: string[] = [];
  for (const [at, path] of [...known].sort().entries()) {
    // A pattern with many wildcards takes time, so other work and a cancellation may come between the matches.
    if (at % FILES_AT_ONCE === FILES_AT_ONCE - 1) await setImmediate();
    context.signal.throwIfAborted();
    if (isNamed(path)) candidates.push(path);
  }
  const files: Json[] = [];
  let bytesRead = 0;
  let unread = 0;
  for (const path of candidates) {
    context.signal.throwIfAborted();
    if (files.length >= limit) return { files, more: true };
    if (text === undefined) {
      files.push({ ...describe(path), ...(await visibilityOf(path, context)) });
      continue;
    }
    const bytes = bytesRead >= MAX_BYTES ? null : await readOrPass(path, context);
    bytesRead += bytes?.length ?? 0;
    if (bytes === null || bytes.length > MAX_FILE_BYTES) {
      unread++;
      continue;
    }
    const read = await fileText(bytes, path, mimeOfName(path, "application/octet-stream"), context.signal);
    // Binary files have no lines. A document without readable text is counted as not searched.
    if (!("text" in read) && read.isExtracted) unread++;
    const matches = "text" in read ? await matchingLines(read.text, text, ignore_case) : [];
    if (matches.length > 0)
      files.push({ ...describe(path), ...(await visibilityOf(path, context)), size_bytes: bytes.length, matches });
  }
  return unread === 0 ? { files } : { files, files_not_read: unread };
}

/** The bytes of a file; null if it is missing, too large or not regular. The caller counts these files. */
async function readOrPass(path: string, { workspace, signal }: ToolContext): Promise<Uint8Array | null> {
  try {
    return await workspace.read(path, { signal });
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return null;
  }
}

/** A file that no block mentions, such as a leftover of a program, counts as internal. */
async function visibilityOf(physical: string, context: ToolContext): Promise<{ visibility?: "internal" }> {
  const { path } = describe(physical);
  const artifact = canonicalPath(path) === null ? null : await context.resolve(path);
  return artifact === null || artifact.internal === true ? { visibility: "internal" } : {};
}

function describe(physical: string): { path: string; physical_path: string } {
  try {
    return { path: resolvePath(`fi:${physical}`).logical, physical_path: physical };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return { path: `fi:${physical}`, physical_path: physical }; // A program may give a file a name that no path can express.
  }
}

type Match = {
  readonly line: number;
  /** The part of a document: `page 3`, `sheet Sales`. */
  readonly part?: string;
  readonly text: string;
};

/** Searching 8 MB of short lines takes 0.3 s, so other work runs in between. */
const CHARS_AT_ONCE = 500_000;

async function matchingLines(content: string, text: string, ignoreCase: boolean): Promise<Match[]> {
  const found: Match[] = [];
  let pauseAt = CHARS_AT_ONCE;
  let part: string | null = null;
  // Lower case may change the length of a text, so the position of the match is computed again for the original line.
  const wanted = ignoreCase ? text.toLowerCase() : text;
  // Lines are counted as `react.read` counts them, so a very long line is several lines.
  const walk = new LineWalk(content);
  for (let start = 0; start <= content.length && found.length < LINES_A_FILE; ) {
    const newline = content.indexOf("\n", start);
    const end = newline === -1 ? content.length : newline;
    const line = content.slice(start, end);
    const at = (ignoreCase ? line.toLowerCase() : line).indexOf(wanted);
    const begins = partNamed(line);
    part = begins ?? part;
    if (at !== -1 && begins === null) {
      while (!walk.isDone && walk.at <= start + at) walk.next();
      found.push({ line: walk.count, ...(part === null ? {} : { part }), text: excerpt(line, at, text.length) });
    }
    start = end + 1;
    if (start < pauseAt) continue;
    await setImmediate();
    pauseAt = start + CHARS_AT_ONCE;
  }
  return found;
}

/** The part of a line around a match. */
function excerpt(line: string, at: number, length: number): string {
  if (line.length <= LINE_CHARS) return line.trimEnd();
  const from = Math.max(0, Math.min(at - 60, line.length - LINE_CHARS));
  const to = Math.min(line.length, Math.max(from + LINE_CHARS, at + Math.min(length, LINE_CHARS)));
  return `${from > 0 ? "…" : ""}${line.slice(from, to).toWellFormed().trimEnd()}${to < line.length ? "…" : ""}`;
}
