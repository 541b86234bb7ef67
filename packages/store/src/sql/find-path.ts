/**
 * Finds the content at a path through the index, even if a compaction dropped it long ago. The blocks of the version
 * asked for and the digests of the same calls are put into a small state, and the engine resolves the path over it
 * exactly as it does over the window.
 */
import { formatPath, parsePath, resolveArtifact, TimelineState } from "@cairn/timeline";
import type { FoundBlock, FoundPath } from "../contract/records.ts";
import { blockOfRow, stateOfBlocks } from "./block-row.ts";
import type { ConversationRow } from "./conversations.ts";
import { EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { journalOf, type Lined } from "./lineage.ts";
import { loadOutline } from "./outline.ts";
import { type PathColumns, pathColumns } from "./path-columns.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

interface PathIndexRow {
  readonly position: number;
  readonly seq: number;
  readonly call_id: string | null;
}

export function* findByPath(db: SqlDatabase, row: ConversationRow, asked: string): Work<FoundPath | null> {
  const parsed = parsePath(asked);
  const path = formatPath({ ...parsed, version: null });
  const rows = parsed.kind === "sources" && parsed.version === null ? yield* findSources(db, row, path) : null;
  if (rows !== null) return rows;
  const columns = pathColumns(path);
  const latestVersion = (yield* db.get<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${journalOf(row, "paths")} AND rest = ? AND scheme = ? AND role = 'content'`,
    row.id,
    columns.rest,
    columns.scheme,
  ))?.version;
  if (latestVersion === null || latestVersion === undefined) return null;
  const version = parsed.version ?? latestVersion;
  const content = yield* pathRows(db, row, columns, "content", version);
  if (content.length === 0) return null;
  const calls = new Set(content.map((each) => each.call_id).filter((call) => call !== null));
  const digests = (yield* pathRows(db, row, columns, "digest", 0)).filter(
    (each) => each.call_id !== null && calls.has(each.call_id),
  );
  const seqs = new Set([...content, ...digests].sort((a, b) => a.position - b.position).map((each) => each.seq));
  const blocks: FoundBlock[] = [];
  for (const seq of seqs) {
    const block = yield* readBlock(db, row, seq);
    if (block !== null) blocks.push(block);
  }
  const state = yield* stateOfBlocks(db, row, blocks);
  // The path has no suffix here: the state contains one version only, whose number a suffix may be unable to express.
  const artifact = resolveArtifact(state, formatPath(parsed));
  return artifact === null ? null : { path, version, latestVersion, blocks, state, artifact };
}

/** Pool rows are part of the state, even after compactions. Null when no selected row exists. */
function* findSources(db: SqlDatabase, row: ConversationRow, path: string): Work<FoundPath | null> {
  const state = new TimelineState();
  state.pool = (yield* loadOutline(db, row, (source) => source)).state.pool;
  const artifact = resolveArtifact(state, path);
  return artifact === null ? null : { path, version: 1, latestVersion: 1, blocks: [], state, artifact };
}

function* pathRows(
  db: SqlDatabase,
  conversation: Lined,
  path: PathColumns,
  role: string,
  version: number,
): Work<PathIndexRow[]> {
  return yield* db.all<PathIndexRow>(
    `SELECT position, seq, call_id FROM ${journalOf(conversation, "paths")}
      AND rest = ? AND scheme = ? AND role = ? AND version = ? ORDER BY position`,
    conversation.id,
    path.rest,
    path.scheme,
    role,
    version,
  );
}

function* readBlock(db: SqlDatabase, conversation: Lined, seq: number): Work<FoundBlock | null> {
  const row = yield* db.get<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM ${journalOf(conversation, "events")} AND seq = ?`,
    conversation.id,
    seq,
  );
  return row === undefined ? null : blockOfRow(row);
}
