/**
 * Internal content: content for the model and for callers with the permission `inspect`, never for the people in a
 * conversation.
 *
 * Each block states its visibility itself, so it can be judged without any other block. Calls that may touch internal
 * content state `visibility` in the `meta` of their blocks: `internal`, `external`, or `mixed` for JSON in which only
 * the items with `visibility: "internal"` are internal. Journals of earlier versions state nothing;
 * `unstated-result.ts` judges their results.
 */
import type { JsonObject } from "../../base/json.ts";
import type { Block } from "../../block/block.ts";
import { type Digest, fileDigest } from "../../block/digest.ts";

export type Visibility = "external" | "internal" | "mixed";

/** The text that is shown in place of words that may quote internal content. */
export const WITHHELD = "The reason contains internal content and is not shown.";

export function statedVisibility(from: Readonly<JsonObject> | undefined): Visibility | null {
  const stated = from?.visibility;
  return stated === "external" || stated === "internal" || stated === "mixed" ? stated : null;
}

/** Whether a whole block is internal, by its path or its own fields. `report` reads the visibility of a result. */
export function isStatedInternal(block: Block, report?: (block: Block) => Digest | null): boolean {
  const { meta, path } = block;
  if (path?.startsWith("su:") === true) return true;
  if (statedVisibility(meta) === "internal" || meta?.channel === "internal") return true;
  const digest = path?.startsWith("fi:") === true ? fileDigest(block) : report?.(block);
  // Digests of searches and fetches are marked as internal too, but people may see their results.
  return digest?.visibility === "internal" && isFile(digest.artifact_path ?? path);
}

function isFile(path: string | undefined): boolean {
  return path?.startsWith("fi:") === true;
}
