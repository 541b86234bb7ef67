/** The content found at one path. It is written to the timeline unless it is already in view. */
import type { BlobRef, Json } from "@cairn/timeline";
import type { Scribe, ToolContext } from "../tool/tool.ts";
import type { LongText } from "../workspace/long-text.ts";
import { type CutText, cutText, LineCut, type LineRange } from "./cut-text.ts";
import type { FoundFile } from "./read-file.ts";

export interface Piece {
  readonly path: string;
  readonly describe: (scribe: Scribe) => void;
  readonly contents: readonly PieceContent[];
  /** Which lines are shown; null when all lines are shown. */
  readonly lines: string | null;
  /** Whether the content cannot be read; its description says why. */
  readonly isUnreadable: boolean;
}

export interface PieceContent {
  readonly tokens: number;
  /** The content. Not written if the blocks named in `parts` are already in view. */
  readonly content: string | { readonly blob: BlobRef };
  /** The texts of the blocks that contain the content. If all these texts are in view, the content is in view. */
  readonly parts?: readonly string[];
  readonly write: (scribe: Scribe) => void;
}

/** Maximum characters of one read: about a hundred thousand tokens. */
const MAX_CHARS = 400_000;
/** Maximum characters of one text, unless lines are requested. */
const MAX_CHARS_EACH = 200_000;

/** Cuts texts to the maximum of one read. */
export class ReadAllowance {
  readonly #range: LineRange | undefined;
  #left = MAX_CHARS;

  constructor(range: LineRange | undefined) {
    this.#range = range;
  }

  cut(text: string): CutText {
    return this.#spend(cutText(text, this.#range, this.#most));
  }

  async cutLong(text: LongText): Promise<CutText> {
    const cut = new LineCut(this.#range, this.#most);
    for await (const piece of text.pieces()) cut.add(piece);
    return this.#spend(cut.end());
  }

  get #most(): number {
    return Math.min(this.#left, MAX_CHARS_EACH);
  }

  #spend(cut: CutText): CutText {
    this.#left -= cut.text.length;
    return cut;
  }
}

/** Marks a block as shown, even if other blocks at its path are hidden. */
const SHOWN: Readonly<Record<string, Json>> = { hidden: false };

/** The position of a part in the whole text, so that the note below a clipped part counts lines of the whole text. */
function placed(place: CutText["place"]): Readonly<Record<string, Json>> {
  return place === null ? {} : { lines: { ...place } };
}

export function textPiece(
  path: string,
  mime: string,
  whole: string,
  allowance: ReadAllowance,
  context: ToolContext,
  { internal = false, parts }: { readonly internal?: boolean; readonly parts?: readonly string[] } = {},
): Piece {
  const { text, lines, place } = allowance.cut(whole);
  const visibility = internal ? "internal" : "external";
  const meta = { ...SHOWN, visibility, ...placed(place) };
  const write = (scribe: Scribe) => scribe.content(path, { mime, text, meta });
  const stored = lines === null && parts !== undefined ? { parts } : {};
  const contents = [{ tokens: context.countTokens(text), content: text, ...stored, write }];
  return { path, describe: () => undefined, contents, lines, isUnreadable: false };
}

/** The document or picture comes first, then its text. Each of the two is left out when it is already in view. */
export async function filePiece(file: FoundFile, allowance: ReadAllowance, context: ToolContext): Promise<Piece> {
  const { path, mime, textMime, blob, unreadable } = file;
  const contents: PieceContent[] = [];
  const digest = {
    ...file.digest,
    ...(unreadable === null ? {} : { error: { code: "unreadable", message: unreadable } }),
  };
  const kept = { digest: { ...file.digest, tool_call_id: context.callId }, ...SHOWN };
  let lines: string | null = null;
  if (blob !== null)
    contents.push({
      tokens: file.binaryTokens,
      content: { blob },
      write: (scribe) => scribe.content(path, { mime, meta: { ...file.meta, ...kept } }),
    });
  if (file.text !== null) {
    const { text, place, ...cut } =
      typeof file.text === "string" ? allowance.cut(file.text) : await allowance.cutLong(file.text);
    // The bytes of a document are in a block of their own.
    const { blob: own, ...rest } = file.meta;
    const meta = { ...rest, ...(blob === null ? { blob: own } : {}), ...kept, ...placed(place) };
    lines = cut.lines;
    contents.push({
      tokens: context.countTokens(text),
      content: text,
      write: (scribe) => scribe.content(path, { mime: textMime, text, meta }),
    });
  }
  const describe = (scribe: Scribe) => {
    scribe.digest(digest);
    // As for every file, the bytes are stored in a block that the view does not show.
    if (contents.length === 0) scribe.content(path, { mime, meta: { ...file.meta, ...kept } });
  };
  return { path, describe, contents, lines, isUnreadable: unreadable !== null };
}
