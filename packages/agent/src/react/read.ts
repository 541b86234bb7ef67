/**
 * `react.read`: brings the content of logical paths into view.
 *
 * Written to the timeline: first the status (what was requested, what is missing, what is already in view, and how much
 * was read), then the content, in the requested order. A file gives its digest and its content. Pool rows that are
 * files are read as files; all other rows of one selector become one text after the files. Content that is already in
 * view at the same path is not shown again. Hidden content is appended, never uncovered in place.
 *
 * Documents are shown as text with their parts. A PDF is also shown as a document, to models that accept PDFs. If a
 * file cannot be read, its digest has the error, and the status lists the file.
 *
 * A text that is too long is cut at the end of a line, and the status says which lines are shown. If these lines exceed
 * their share of the model's window, the view clips them, and its last line says what to read next. A path that is
 * refused counts as missing, and a notice says why.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import {
  CairnError,
  formatSelector,
  hideHosting,
  parsePath,
  readSource,
  resolvePath,
  type SourceRow,
} from "@cairn/timeline";
import { z } from "zod";
import type { Skill } from "../skill/skill.ts";
import { defineTool, type Scribe, type Settlement, type Tool, type ToolContext } from "../tool/tool.ts";
import { findFile } from "./read-file.ts";
import { filePiece, type Piece, type PieceContent, ReadAllowance, textPiece } from "./read-piece.ts";
import { skillText } from "./read-skill.ts";

const params = z.object({
  paths: z
    .array(z.string().min(1))
    .min(1)
    .max(50)
    .describe(
      "Logical paths: fi:, ar:, tc:, su:, sk:, or sources as so:sources_pool[1-3,5]. Add @v2 for an earlier version.",
    ),
  lines: z
    .object({ from: z.number().int().min(1), to: z.number().int().min(1).optional() })
    .optional()
    .describe(
      "Of a long text, these lines only, counted from 1. A line of more than 2000 characters counts as several.",
    ),
});

type ReadParams = z.output<typeof params>;

/** The content of a source that is stored outside the conversation: a text, or a file that the reader writes. */
interface LinkContent {
  readonly text: string;
  readonly write?: (scribe: Scribe) => void;
}

/**
 * Reads a source whose content is not stored in the conversation; null for a source of another kind. Throws an error
 * that says why it cannot be read.
 */
export type FollowLink = (row: SourceRow, context: ToolContext) => Promise<LinkContent | null>;

export function createReadTool(skills: readonly Skill[] = [], follow?: FollowLink): Tool<ReadParams> {
  return defineTool({
    id: "react.read",
    description:
      "Bring files, attachments, sources, skills and anything else with a logical path into view. " +
      "PDF, DOCX, XLSX, PPTX, ODT, EPUB and HTML come as text, with a line [page n], [sheet name] or [slide n] before " +
      "each part. Restores what was hidden, pruned or summarised.",
    params,
    builtin: true,
    traits: {
      showsAgain: true,
      refers: true,
      report: "paths",
      label: { icon: "read", done: "Read", doing: "Read", shows: { params: ["paths"], as: "file" } },
    },
    idempotent: true,
    run: (given, context) => read(given, { skills, follow }, context),
  });
}

/** The content that one call of `react.read` collects before it is written. */
interface Gathered {
  readonly pieces: Piece[];
  readonly found: Set<string>;
  readonly missing: string[];
  readonly missingSkills: string[];
  readonly refusals: CairnError[];
  /** The content of links, which becomes part of their sources. */
  readonly followed: { readonly row: SourceRow; readonly content: LinkContent }[];
}

interface Readers {
  readonly skills: readonly Skill[];
  readonly follow: FollowLink | undefined;
}

async function read({ paths, lines }: ReadParams, readers: Readers, context: ToolContext): Promise<Settlement> {
  const lists = { missing: [], missingSkills: [], refusals: [], followed: [] };
  const gathered: Gathered = { pieces: [], found: new Set(), ...lists };
  const allowance = new ReadAllowance(lines);
  const asked = [...new Set(paths.map(canonical))];
  for (const path of asked) {
    context.signal.throwIfAborted();
    try {
      await gather(path, { gathered, allowance, ...readers, context });
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      gathered.missing.push(path);
      gathered.refusals.push(error);
    }
  }
  return (scribe) => {
    for (const { code, message } of gathered.refusals) scribe.notice(code, message);
    const shown = gathered.pieces.map((piece) => ({
      piece,
      contents: piece.contents.filter((content) => !isContentInView(piece, content, context)),
    }));
    const isInView = ({ piece, contents }: (typeof shown)[number]) => contents.length === 0 && !piece.isUnreadable;
    const cut = gathered.pieces.flatMap(({ path, lines }) => (lines === null ? [] : [[path, lines] as const]));
    const unreadable = gathered.pieces.filter((piece) => piece.isUnreadable).map(({ path }) => path);
    const status = {
      paths: asked,
      missing: gathered.missing,
      missing_skills: gathered.missingSkills,
      ...(unreadable.length === 0 ? {} : { unreadable }),
      exists_in_visible_context: shown.filter(isInView).map(({ piece }) => piece.path),
      total_tokens: shown.flatMap(({ contents }) => contents).reduce((sum, { tokens }) => sum + tokens, 0),
      ...(cut.length === 0 ? {} : { lines: Object.fromEntries(cut) }),
    };
    scribe.result(JSON.stringify(status), "application/json");
    scribe.mergeSources(
      gathered.followed.map(({ row: { sid: _, ...row }, content: { text } }) => ({ ...row, content: text })),
    );
    for (const { content } of gathered.followed) content.write?.(scribe);
    for (const each of shown) {
      if (isInView(each)) continue;
      each.piece.describe(scribe);
      for (const content of each.contents) content.write(scribe);
    }
  };
}

/** A result in several blocks is in view if all of them are. */
function isContentInView({ path }: Piece, { content, parts }: PieceContent, { isVisible }: ToolContext): boolean {
  return isVisible(path, content) || (parts?.every((part) => isVisible(path, part)) ?? false);
}

interface Reading extends Readers {
  readonly gathered: Gathered;
  readonly allowance: ReadAllowance;
  readonly context: ToolContext;
}

async function gather(path: string, reading: Reading): Promise<void> {
  const { gathered, allowance, skills, context } = reading;
  const parsed = parsePath(path);
  switch (parsed.kind) {
    case "skill": {
      const found = await skillText(path, parsed.name, skills, context.signal);
      if (found === null) gathered.missingSkills.push(path);
      else add(gathered, textPiece(path, found.mime, found.text, allowance, context));
      return;
    }
    case "sources":
      return gatherSources(path, reading);
    case "file":
    case "attachment":
    case "outdir":
      return gatherFile(path, path, reading);
    default: {
      const artifact = await context.resolve(path);
      if (artifact?.text === undefined) {
        gathered.missing.push(path);
        return;
      }
      const { internal = false } = artifact;
      const parts = artifact.texts !== undefined && artifact.texts.length > 1 ? artifact.texts : [artifact.text];
      const whole = parts.map(hideHosting).join("\n");
      add(gathered, textPiece(path, artifact.mime ?? "text/plain", whole, allowance, context, { internal, parts }));
    }
  }
}

/** `asked`: the path to report as missing when there is no such file. */
async function gatherFile(path: string, asked: string, { gathered, allowance, context }: Reading): Promise<void> {
  if (gathered.found.has(path)) return;
  const file = await findFile(path, context);
  // Decoding, counting and storing a large text take a tenth of a second each. Other work may run between these steps.
  await yieldToOthers();
  if (file === null) gathered.missing.push(asked);
  else add(gathered, await filePiece(file, allowance, context));
  await yieldToOthers();
}

async function gatherSources(path: string, reading: Reading): Promise<void> {
  const { gathered, allowance, context } = reading;
  const missing: number[] = [];
  const pages: SourceRow[] = [];
  for (const sid of sidsOf(path)) {
    const row = context.source(sid);
    const file = row === undefined ? null : fileOf(row);
    if (row === undefined) missing.push(sid);
    else if (file === null) pages.push(await followRow(row, reading));
    else await gatherFile(file, poolPath([sid]), reading);
  }
  if (missing.length > 0) gathered.missing.push(poolPath(missing));
  if (pages.length === 0) return;
  const text = pages.map(describeRow).join("\n\n");
  add(gathered, textPiece(poolPath(pages.map(({ sid }) => sid)), "text/markdown", text, allowance, context));
}

/** A row with its content, which is read once and kept with the row. */
async function followRow(row: SourceRow, { gathered, follow, context }: Reading): Promise<SourceRow> {
  const content = row.content === undefined ? ((await follow?.(row, context)) ?? null) : null;
  if (content === null) return row;
  gathered.followed.push({ row, content });
  return { ...row, content: content.text };
}

/** The file of a pool row; null for a web page and for a manual entry. */
function fileOf(row: SourceRow): string | null {
  const path = row.artifact_path ?? row.physical_path;
  if (row.source_type === "web" || row.source_type === "manual" || typeof path !== "string" || path === "") return null;
  return canonical(path);
}

function describeRow(row: SourceRow): string {
  const head = [`[S:${row.sid}] ${row.title ?? row.url ?? ""}`.trimEnd()];
  if (row.url !== undefined && row.title !== undefined) head.push(row.url);
  return `${head.join("\n")}\n\n${readSource(row)}`;
}

function sidsOf(path: string): number[] {
  const parsed = parsePath(path);
  const sids: number[] = [];
  if (parsed.kind === "sources")
    for (const { from, to } of parsed.ranges) for (let sid = from; sid <= to; sid++) sids.push(sid);
  return sids;
}

function poolPath(sids: readonly number[]): string {
  return `so:sources_pool[${formatSelector(sids)}]`;
}

/** The canonical path. An invalid path is returned unchanged, and reading it reports the error. */
function canonical(path: string): string {
  try {
    return resolvePath(path).logical;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return path.slice(0, 500);
  }
}

/** Maximum number of pieces of one read; a selector can name ten thousand files. */
const MAX_PIECES = 200;

function add({ pieces, found }: Gathered, piece: Piece): void {
  if (found.has(piece.path)) return;
  if (pieces.length >= MAX_PIECES)
    throw new CairnError(
      "too_many_paths",
      `One call of react.read shows at most ${MAX_PIECES} items. Read the rest with another call.`,
    );
  found.add(piece.path);
  pieces.push(piece);
}
