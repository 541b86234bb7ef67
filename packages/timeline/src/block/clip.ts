/**
 * A clip: how much of a block the model is shown. The block itself stays whole, and reading its path returns all of it.
 *
 * In a payload a clip is `meta.clipped`. A hidden block is not clipped, and a block that is hidden later loses its
 * clip.
 */
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { Block } from "./block.ts";

export interface Clip {
  /** Lines of the content that are shown, from its beginning (`lines.ts`). Pictures and documents are not shown. */
  readonly shown_lines: number;
  /** The block shows nothing, not even its path, because another block of the same call is shown in its place. */
  readonly omitted?: true | undefined;
  /** The picture or document is not shown, because newer ones use up the provider's limit for files. */
  readonly file_limit?: true | undefined;
}

/** The fields of a clip without those that are undefined. */
export function plainClip({ shown_lines, omitted, file_limit }: Clip): Clip {
  return { shown_lines, ...(omitted ? { omitted } : {}), ...(file_limit ? { file_limit } : {}) };
}

/** The block as a payload shows it. No key but `meta.clipped` changes. */
export function withClip(block: Block, clip: Clip): Block {
  const clipped: JsonObject = { ...plainClip(clip) };
  return { ...block, meta: { ...block.meta, clipped } };
}

/** Reads the clip of a block in a payload; null when it has none or an invalid one. */
export function readClip(block: Block): Clip | null {
  const clipped = block.meta?.clipped;
  if (!isJsonObject(clipped)) return null;
  const { shown_lines, omitted, file_limit } = clipped;
  if (typeof shown_lines !== "number" || !Number.isSafeInteger(shown_lines) || shown_lines < 0) return null;
  return plainClip({
    shown_lines,
    omitted: omitted === true || undefined,
    file_limit: file_limit === true || undefined,
  });
}
