/**
 * Renders one block for the model: zero, one or two message blocks (a text, followed by a picture or document).
 *
 * A block's view depends on the block, its overlay or clip and the tool its call went to, and on nothing that comes
 * later. That is why a longer conversation starts with the same bytes as a shorter one. Every text ends with one blank
 * line of its own. Keys that a block does not have are not shown. A view never shows hosting fields.
 *
 * A clipped block looks as it would if its content ended after the lines that are shown, and its last line says so.
 * Content is cut before its headers are escaped: the shown part is escaped as in the whole content.
 */
import type { Clip } from "../block/clip.ts";
import { countLines, firstLines } from "../block/lines.ts";
import type { Overlay } from "../block/overlay.ts";
import { viewBinary } from "../message/binary-view.ts";
import { inline } from "../message/inline.ts";
import type { MessageBlock } from "../message/message.ts";
import { BLANK_LINE, paragraph } from "../message/paragraph.ts";
import type { Entry } from "../state/entry.ts";
import { READ_TOOL } from "../tool/named-tools.ts";
import { clipNote } from "./clip-note.ts";
import { escapeRules } from "./escape.ts";
import { RENDERER_VERSION } from "./version.ts";

const NOTHING: readonly MessageBlock[] = [];

/** `version` selects the rendering rules (`version.ts`). */
export function viewEntry(entry: Entry, version = RENDERER_VERSION): readonly MessageBlock[] {
  if (entry.overlay !== null) return viewOverlay(entry.path, entry.overlay, version);
  if (entry.clip === null) return viewWhole(entry, version);
  return viewClipped(clipSource(entry, version), entry.clip, version);
}

/** The view of the block as if it had no overlay and no clip. */
export function viewWhole(entry: Entry, version = RENDERER_VERSION): readonly MessageBlock[] {
  return viewText(entry, entry.kind.content(entry, version) ?? entry.block.text ?? "", version);
}

/** The source from which clips of a block are cut, made once when several clips of the block are tried. */
export interface ClipSource {
  readonly entry: Entry;
  /** The content that a read of the block's path returns. If there is none, the block's view, without line numbers. */
  readonly text: string;
  readonly isContent: boolean;
  readonly lines: number;
}

export function clipSource(entry: Entry, version = RENDERER_VERSION): ClipSource {
  const content = entry.kind.content(entry, version);
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
  const body = isContent ? textOf(viewText(entry, rules.cut(text, shown.length), version)) : shown.trimEnd();
  const isOverLimit = clip.file_limit === true;
  const note = clipNote(entry, {
    isCut,
    binary,
    isOverLimit,
    shown: clip.shown_lines,
    lines: isContent ? lines : null,
  });
  // If a result shows none of its content, the note names its path.
  const head = shown === "" && entry.kind.role === "result" ? firstLine(body) : body;
  return paragraph(head === "" ? note : `${head}\n${note}`);
}

/** The text of a view without the blank line at its end; empty for a view without text. */
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
  return paragraph(`HIDDEN — ${note}${stop} Retrieve with ${READ_TOOL}(${inline(path ?? "")})`);
}

/** The view of a block that shows this text: its content, or the beginning of it. */
function viewText(entry: Entry, text: string, version: number): readonly MessageBlock[] {
  return entry.kind.view(entry, text, escapeRules(version), version);
}
