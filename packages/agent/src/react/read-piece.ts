/** What a read found at one path, ready to be written once it is known that it is not in view already. */
import type { BlobRef, Json } from "@cairn/timeline";
import type { Scribe, ToolContext } from "../tool/tool.ts";
import { type CutText, cutText, type LineRange } from "./cut-text.ts";
import type { FoundFile } from "./read-file.ts";

export interface Piece {
  readonly path: string;
  readonly tokens: number;
  /** What has to be in view for the piece to be left out; null when it is shown whatever is. */
  readonly content: string | { readonly blob: BlobRef } | null;
  /** The texts of the blocks that hold the content, as they are stored. */
  readonly parts?: readonly string[];
  readonly write: (scribe: Scribe) => void;
  /** Which lines are shown; null when all are. */
  readonly lines: string | null;
}

/** As much as one read shows at most: about a hundred thousand tokens. */
const MOST_CHARS = 400_000;
/** And of one text, unless lines are asked for. */
const MOST_CHARS_EACH = 200_000;

/** Cuts texts to what one read may show in all. */
export class ReadAllowance {
  readonly #range: LineRange | undefined;
  #left = MOST_CHARS;

  constructor(range: LineRange | undefined) {
    this.#range = range;
  }

  cut(text: string): CutText {
    const cut = cutText(text, this.#range, Math.min(this.#left, MOST_CHARS_EACH));
    this.#left -= cut.text.length;
    return cut;
  }
}

/** Says that a block is shown, whatever is hidden elsewhere at its path. */
const SHOWN: Readonly<Record<string, Json>> = { hidden: false };

const NO_TEXT = { text: null, lines: null, place: null };

/** Where a part of a text stands in it, so that a clip of the part names lines of the whole. */
function placed(place: CutText["place"]): Readonly<Record<string, Json>> {
  return place === null ? {} : { lines: { ...place } };
}

export function textPiece(
  path: string,
  mime: string,
  whole: string,
  allowance: ReadAllowance,
  context: ToolContext,
): Piece {
  const { text, lines, place } = allowance.cut(whole);
  return {
    path,
    tokens: context.countTokens(text),
    content: text,
    lines,
    write: (scribe) => scribe.content(path, { mime, text, meta: { ...SHOWN, ...placed(place) } }),
  };
}

export function filePiece(file: FoundFile, allowance: ReadAllowance, context: ToolContext): Piece {
  const { path, mime, digest } = file;
  const { text, lines, place } = file.text === null ? NO_TEXT : allowance.cut(file.text);
  const meta = { ...file.meta, digest: { ...digest, tool_call_id: context.callId }, ...SHOWN, ...placed(place) };
  return {
    path,
    tokens: text === null ? file.binaryTokens : context.countTokens(text),
    content: text ?? (file.blob === null ? null : { blob: file.blob }),
    lines,
    write: (scribe) => {
      scribe.digest(digest);
      scribe.content(path, { mime, meta, ...(text === null ? {} : { text }) });
    },
  };
}
