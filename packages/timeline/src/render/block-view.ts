/**
 * Renders one block for the model: zero, one or two message blocks (a text, followed by a picture or document).
 *
 * A block's view depends on the block, its overlay or clip and the tool its call went to, and on nothing that comes
 * later. That is why a longer conversation starts with the same bytes as a shorter one. Every text ends with one blank
 * line of its own. Keys that are absent are left out. Hosting fields are never read here.
 *
 * A clipped block looks as it would if its content ended after the lines that are shown, and its last line says so.
 * Content is cut before its headers are escaped: what is shown is escaped as it would be in the whole.
 */
import type { Block } from "../block/block.ts";
import type { Clip } from "../block/clip.ts";
import { attachmentDigest, type Digest, sourceIds, spelledDigest } from "../block/digest.ts";
import { hideHosting, withoutHosting } from "../block/hosting.ts";
import { countLines, firstLines } from "../block/lines.ts";
import type { Overlay } from "../block/overlay.ts";
import { canonicalPath } from "../path/resolve.ts";
import { parsePlan, renderPlan } from "../plan/plan.ts";
import type { Entry } from "../state/entry.ts";
import { viewBinary } from "./binary-view.ts";
import { clipNote } from "./clip-note.ts";
import { type EscapeRules, escapeRules, inline } from "./escape.ts";
import type { MessageBlock } from "./message.ts";
import { BLANK_LINE, paragraph } from "./paragraph.ts";
import { viewToolCall, viewToolResult } from "./tool-view.ts";
import { RENDERER_VERSION } from "./version.ts";

const NOTHING: readonly MessageBlock[] = [];

/** `version` selects the rendering rules (`version.ts`). */
export function viewEntry(entry: Entry, version = RENDERER_VERSION): readonly MessageBlock[] {
  if (entry.overlay !== null) return viewOverlay(entry.path, entry.overlay, version);
  if (entry.clip === null) return viewWhole(entry, version);
  return viewClipped(clipSource(entry, version), entry.clip, version);
}

/** The view of the block without overlay and clip. */
export function viewWhole(entry: Entry, version = RENDERER_VERSION): readonly MessageBlock[] {
  return viewBlock(entry, ownText(entry, version) ?? entry.block.text ?? "", version);
}

/** The source from which clips of a block are cut. It is made once when several clips of one block are tried. */
export interface ClipSource {
  readonly entry: Entry;
  /**
   * The content that reading the block's path returns. If there is none it is the block's view, to which line numbers
   * do not apply.
   */
  readonly text: string;
  readonly isContent: boolean;
  readonly lines: number;
}

export function clipSource(entry: Entry, version = RENDERER_VERSION): ClipSource {
  const content = ownText(entry, version);
  const text = content ?? textOf(viewWhole(entry, version));
  return { entry, text, isContent: content !== null, lines: countLines(text) };
}

/** The beginning of a block, ending with a note that says what to read next. The header line is always shown. */
export function viewClipped(source: ClipSource, clip: Clip, version = RENDERER_VERSION): readonly MessageBlock[] {
  const { entry, text, isContent, lines } = source;
  if (clip.omitted) return NOTHING;
  const isCut = clip.shown_lines < lines;
  const binary = viewBinary(entry.block).length > 0;
  if (!isCut && !binary) return viewWhole(entry, version);
  const rules = escapeRules(version);
  const shown = firstLines(text, isContent ? clip.shown_lines : Math.max(1, clip.shown_lines));
  const body = isContent ? textOf(viewBlock(entry, rules.cut(text, shown.length), version)) : shown.trimEnd();
  const isOverLimit = clip.file_limit === true;
  const note = clipNote(entry, {
    isCut,
    binary,
    isOverLimit,
    shown: clip.shown_lines,
    lines: isContent ? lines : null,
  });
  // The note names the path of a result that shows none of its content.
  const head = shown === "" && entry.type === "react.tool.result" ? firstLine(body) : body;
  return paragraph(head === "" ? note : `${head}\n${note}`);
}

/**
 * The content of a block that is shown as it is, below a header; null when the view is made from the block's fields.
 * Hosting fields are removed from a result's JSON.
 */
function ownText(entry: Entry, version: number): string | null {
  const { block } = entry;
  switch (entry.type) {
    case "turn.header":
    case "user.attachment.meta":
    case "react.tool.call":
    case "react.notice":
    case "react.plan":
    case "system.message":
      return null;
    case "react.tool.result":
      if (digestOf(entry, version) !== null) return null;
      return block.path?.startsWith("fi:") ? (block.text ?? "") : hideHosting(block.text ?? "");
    default:
      return block.text ?? "";
  }
}

function digestOf(entry: Entry, version: number): Digest | null {
  return version >= 4 ? entry.digest : spelledDigest(entry.block);
}

/** The text of a view, without the blank line at its end; empty when it has none. */
function textOf(view: readonly MessageBlock[]): string {
  const first = view[0];
  return first?.type === "text" ? first.text.slice(0, -BLANK_LINE.length) : "";
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end);
}

function viewOverlay(path: string | null, overlay: Overlay, version: number): readonly MessageBlock[] {
  if (overlay.replacement === null) return NOTHING;
  const rules = escapeRules(version);
  if (overlay.by !== "agent") return paragraph(rules.payload(overlay.replacement));
  const note = rules.continuation(overlay.replacement);
  const stop = version >= 2 && /[.!?…。！？]$/u.test(note) ? "" : ".";
  return paragraph(`HIDDEN — ${note}${stop} Retrieve with react.read(${inline(path ?? "")})`);
}

/** `text` is the block's content or its beginning. Blocks whose view is made from their fields ignore it. */
function viewBlock(entry: Entry, text: string, version: number): readonly MessageBlock[] {
  const { block } = entry;
  const rules = escapeRules(version);
  switch (entry.type) {
    case "turn.header": {
      const ts = block.ts === undefined ? "" : ` ts=${inline(block.ts)}`;
      return paragraph(`[TURN ${inline(block.turn_id ?? "")}]${ts}`);
    }
    case "user.prompt":
      return paragraph(`[USER MESSAGE]\n${pathLine(entry)}${rules.payload(text)}`);
    case "user.attachment.meta":
      return paragraph(attachmentHeader(block, rules));
    case "user.attachment":
      return withBinary(rules.payload(text), block);
    case "react.notes":
      return paragraph(`[AI Agent say]: ${rules.continuation(text)}`);
    case "react.tool.code":
      return paragraph(`[AI Agent wrote code] ${inline(entry.path ?? "")}:\n${rules.payload(text)}`);
    case "react.tool.call":
      return paragraph(viewToolCall(entry, rules));
    case "react.tool.result": {
      const body = viewToolResult(entry, digestOf(entry, version), text, rules);
      return body === null ? NOTHING : withBinary(body, block);
    }
    case "react.notice":
      return paragraph(`[NOTICE] ${rules.continuation(noticeText(entry))}`);
    case "react.plan": {
      const plan = entry.json === null ? null : parsePlan(entry.json);
      return paragraph(`[REACT.PLAN]\n${rules.payload(plan === null ? text : renderPlan(plan))}`);
    }
    case "react.note":
      return paragraph(`[INTERNAL NOTE]\n${rules.payload(text)}`);
    case "conv.range.summary":
      return paragraph(`[CONVERSATION SUMMARY]\n${pathLine(entry)}${coveredLine(block)}${rules.payload(text)}`);
    case "system.message":
      return paragraph(`[SYSTEM MESSAGE] ${rules.continuation(withoutOwnHeader(text))}`);
    case "assistant.completion":
      return paragraph(`[ASSISTANT MESSAGE]\n${pathLine(entry)}${sourcesLine(block)}${rules.payload(text)}`);
    case "react.thinking":
    case "react.state":
    case "react.exit":
    case "react.decision.raw":
      return NOTHING;
    default:
      return withBinary(rules.payload(text), block);
  }
}

/** A text, followed by the block's picture or document. */
function withBinary(body: string, block: Block): readonly MessageBlock[] {
  const text = paragraph(body);
  const binary = viewBinary(block);
  if (binary.length === 0) return text;
  return text.length === 0 ? binary : [...text, ...binary];
}

function pathLine({ path }: Entry): string {
  return path === null ? "" : `[path: ${inline(path)}]\n`;
}

function attachmentHeader(block: Block, rules: EscapeRules): string {
  const digest = attachmentDigest(block);
  const path = block.path ?? digest.artifact_path;
  const name = digest.filename ?? path?.slice(path.lastIndexOf("/") + 1) ?? "";
  const mime = digest.mime ?? block.mime;
  const lines = [`[USER ATTACHMENT] ${inline(name)}${mime === undefined ? "" : ` | ${inline(mime)}`}`];
  if (digest.summary !== undefined) lines.push(`summary: ${rules.continuation(digest.summary)}`);
  if (path !== undefined) lines.push(`[path: ${inline(canonicalPath(path) ?? path)}]`);
  if (digest.physical_path !== undefined) lines.push(`[physical_path: ${inline(digest.physical_path)}]`);
  return lines.join("\n");
}

function noticeText(entry: Entry): string {
  const { json, block } = entry;
  const code = json?.code ?? block.meta?.code;
  const message = json === null ? (block.text ?? "") : json.message;
  if (typeof code !== "string") return hideHosting(block.text ?? "");
  if (typeof message === "string") return `${inline(code)}: ${message}`;
  const { code: _, ...rest } = json ?? {};
  return Object.keys(rest).length === 0 ? inline(code) : `${inline(code)}: ${JSON.stringify(withoutHosting(rest))}`;
}

const LISTED_TURNS = 12;

/** A long conversation covers too many turns for one readable line. The block's meta lists all of them. */
function coveredLine(block: Block): string {
  const turns = block.meta?.covered_turn_ids;
  if (!Array.isArray(turns) || turns.length === 0) return "";
  const ids = turns.map(String);
  const listed = ids.length <= LISTED_TURNS ? ids.join(", ") : `${ids[0]} to ${ids.at(-1)} (${ids.length} turns)`;
  return `covered_turns: ${inline(listed)}\n`;
}

function sourcesLine(block: Block): string {
  const sids = sourceIds(block.meta?.sources_used);
  return sids.length === 0 ? "" : `[sources_used: ${JSON.stringify(sids)}]\n`;
}

/** Older writers stored the header with the text. */
function withoutOwnHeader(text: string): string {
  return text.startsWith("[SYSTEM MESSAGE]") ? text.slice("[SYSTEM MESSAGE]".length).trimStart() : text;
}
