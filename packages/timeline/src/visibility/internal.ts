/**
 * What is internal: content for the model and for whoever may inspect, never for the people a conversation is with.
 *
 * A block says so by itself, so that no other block has to be known to judge it. Calls that may touch internal content
 * state `visibility` in the `meta` of their blocks: `internal`, `external`, or `mixed` for JSON in which the items with
 * `visibility: "internal"` are. Journals of earlier versions state nothing; `unstated-result.ts` judges their results.
 */
import type { Block } from "../block/block.ts";
import { fileDigest, resultDigest } from "../block/digest.ts";
import type { JsonObject } from "../json.ts";

export type Visibility = "external" | "internal" | "mixed";

/** Types that hold what the model alone is meant to read: raw answers, and summaries, which may repeat notes. */
const MODEL_TYPES = new Set(["react.decision.raw", "react.state", "conv.range.summary"]);

export function statedVisibility(from: Readonly<JsonObject> | undefined): Visibility | null {
  const stated = from?.visibility;
  return stated === "external" || stated === "internal" || stated === "mixed" ? stated : null;
}

/** Whether all of a block is internal. */
export function isInternal(block: Block): boolean {
  const { meta, path, type } = block;
  // A standing order came from the user, so it is visible to people.
  if (type === "react.note") return meta?.directive !== true;
  if (MODEL_TYPES.has(type) || path?.startsWith("su:") === true) return true;
  if (statedVisibility(meta) === "internal" || meta?.channel === "internal") return true;
  const digest = path?.startsWith("fi:") === true ? fileDigest(block) : resultDigestOf(block);
  // Digests of searches and fetches are marked as well; their results are visible to everybody.
  return digest?.visibility === "internal" && isFile(digest.artifact_path ?? path);
}

function resultDigestOf(block: Block) {
  return block.type === "react.tool.result" ? resultDigest(block) : null;
}

function isFile(path: string | undefined): boolean {
  return path?.startsWith("fi:") === true;
}
