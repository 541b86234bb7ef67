/**
 * The index rows that a store writes with an event, so that a block can be found by path, version or words without
 * folding the journal. Rows are made from the event alone and written in the transaction that appends it.
 */
import type { Block } from "../block/block.ts";
import { callIdOf } from "../block/call.ts";
import { resultDigest } from "../block/digest.ts";
import { canonicalPath } from "../path/resolve.ts";
import { isPublic } from "../visibility/public-block.ts";
import { isKnown, type TimelineEvent } from "./event.ts";

export interface PathRow {
  /** In canonical form, without a version. */
  readonly path: string;
  /** Number of the write; 0 for a digest, which belongs to the write of the same call. */
  readonly version: number;
  /** `content` is stored at the path; `digest` describes the content of the path. */
  readonly role: "content" | "digest";
  readonly call_id: string | null;
  readonly turn_id: string | null;
  readonly position: number;
}

export interface TextRow {
  readonly position: number;
  readonly turn_id: string | null;
  readonly type: string;
  readonly path: string | null;
  /** People may not see it. */
  readonly internal: boolean;
  /** Time of the block, if it has one. */
  readonly ts: string | null;
  readonly text: string;
}

export interface IndexRows {
  readonly paths: readonly PathRow[];
  readonly texts: readonly TextRow[];
}

const NO_ROWS: IndexRows = { paths: [], texts: [] };

/** Block types that text search covers. Files are searched by their text, too. */
const SEARCHED_TYPES = new Set([
  "user.prompt",
  "assistant.completion",
  "react.notes",
  "react.note",
  "conv.range.summary",
]);

export function indexRows(event: TimelineEvent): IndexRows {
  if (!isKnown(event)) return NO_ROWS;
  if (event.kind === "block.appended") return blockRows(event.body.block, event.body.position, event.body.version);
  if (event.kind === "compaction.committed")
    return blockRows(event.body.summary, event.body.position, event.body.version);
  return NO_ROWS;
}

function blockRows(block: Block, position: number, version: number): IndexRows {
  const { path } = block;
  const turn_id = block.turn_id ?? null;
  const call_id = callIdOf(block);
  const paths: PathRow[] = [];
  if (path !== undefined && version > 0)
    paths.push({ path: canonicalPath(path) ?? path, version, role: "content", call_id, turn_id, position });
  const described = block.type === "react.tool.result" ? resultDigest(block)?.artifact_path : undefined;
  if (described !== undefined && described !== path)
    paths.push({ path: canonicalPath(described) ?? described, version: 0, role: "digest", call_id, turn_id, position });
  const isFile = version > 0 && path?.startsWith("fi:") === true && block.type !== "user.attachment.meta";
  const searched = block.text !== undefined && block.text !== "" && (SEARCHED_TYPES.has(block.type) || isFile);
  const { type, ts = null, text = "" } = block;
  const texts = searched ? [{ position, turn_id, type, path: path ?? null, internal: !isPublic(block), ts, text }] : [];
  return { paths, texts };
}
