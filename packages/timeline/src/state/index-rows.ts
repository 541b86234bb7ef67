/**
 * The index rows that a store writes with an event, so that a block can be found by path, version or words without
 * folding the journal. Rows are made from the event alone and written in the transaction that appends it.
 */
import type { Block } from "../block/block.ts";
import { callIdIn } from "../block/call.ts";
import { isKnown, type TimelineEvent } from "../event/event.ts";
import { kindOf } from "../kind/kinds.ts";
import { canonicalPath } from "../path/resolve.ts";
import { isPublic } from "../visibility/public-block.ts";

interface PathRow {
  /** The logical path in canonical form, without a version. */
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
  /** Whether the content is hidden from people. */
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
  const kind = kindOf(block.type);
  const call_id = callIdIn(block, kind.namesCall);
  const paths: PathRow[] = [];
  if (path !== undefined && version > 0)
    paths.push({ path: canonicalPath(path) ?? path, version, role: "content", call_id, turn_id, position });
  const described = kind.report(block)?.artifact_path;
  if (described !== undefined && described !== path)
    paths.push({ path: canonicalPath(described) ?? described, version: 0, role: "digest", call_id, turn_id, position });
  const isFile = version > 0 && path?.startsWith("fi:") === true && kind.attachment !== "meta";
  const searched = block.text !== undefined && block.text !== "" && (kind.search !== null || isFile);
  const { type, ts = null, text = "" } = block;
  const texts = searched ? [{ position, turn_id, type, path: path ?? null, internal: !isPublic(block), ts, text }] : [];
  return { paths, texts };
}
