/** What search gives back, whichever index found it. */
import type { SearchHit } from "../contract/records.ts";
import type { Scope } from "../contract/scope.ts";
import { blockOfRow } from "./block-row.ts";
import type { EventRow } from "./event-row.ts";
import { excerptOf } from "./search-text.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

export interface HitRow extends EventRow {
  /** The event's number among all of the database. */
  readonly id: number;
  readonly name: string;
}

export function describeHit(row: HitRow, words: readonly string[]): SearchHit[] {
  const found = blockOfRow(row);
  if (found === null) return [];
  const { block, position } = found;
  return [
    {
      conversation: row.name,
      seq: row.seq,
      position,
      turn_id: block.turn_id ?? null,
      type: block.type,
      path: block.path ?? null,
      excerpt: excerptOf(block.text ?? "", words),
    },
  ];
}

/** The scope's number; null when nobody has used it. */
export function* knownScope(db: SqlDatabase, { tenant, project, user }: Scope): Work<number | null> {
  const sql = 'SELECT id FROM scopes WHERE tenant = ? AND project = ? AND "user" = ?';
  return (yield* db.get<{ id: number }>(sql, tenant, project, user))?.id ?? null;
}
