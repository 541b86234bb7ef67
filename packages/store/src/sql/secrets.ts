/** Small values of a scope, such as the tokens for a service. The caller encrypts them. */
import { storeError } from "../contract/errors.ts";
import { checkPart, checkScope, type Scope } from "../contract/scope.ts";
import type { StoredSecret } from "../contract/store-maintenance.ts";
import { scopeNumber } from "./conversations.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { SqlText, Work } from "./work.ts";

const MAX_SECRET_BYTES = 64 * 1024;

const FIND = `SELECT x.value FROM scopes s JOIN secrets x ON x.scope = s.id
      WHERE s.tenant = ? AND s.project = ? AND s."user" = ? AND x.name = ?`;
const FIND_AND_LOCK = { sqlite: FIND, postgres: `${FIND} FOR UPDATE OF x` };

export function* readSecret(db: SqlDatabase, scope: Scope, name: string): Work<Uint8Array | null> {
  return yield* find(db, FIND, scope, name);
}

function* find(db: SqlDatabase, sql: SqlText, scope: Scope, name: string): Work<Uint8Array | null> {
  checkScope(scope);
  const { tenant, project, user } = scope;
  const row = yield* db.get<{ value: Uint8Array }>(sql, tenant, project, user, name);
  return row === undefined ? null : new Uint8Array(row.value);
}

/** Runs inside a write transaction. */
export function* updateSecret(
  db: SqlDatabase,
  scope: Scope,
  name: string,
  change: (value: Uint8Array) => Uint8Array | null,
): Work<boolean> {
  const value = yield* find(db, FIND_AND_LOCK, scope, name);
  if (value === null) return false;
  yield* writeSecret(db, scope, name, change(value));
  return true;
}

/** Runs inside a write transaction. */
export function* writeSecret(db: SqlDatabase, scope: Scope, name: string, value: Uint8Array | null): Work<void> {
  checkScope(scope);
  checkPart("name", name);
  if (value !== null && value.length > MAX_SECRET_BYTES)
    throw storeError("too_large", `A secret may have at most ${MAX_SECRET_BYTES} bytes.`, {
      name,
      bytes: value.length,
    });
  const number = yield* scopeNumber(db, scope);
  if (value === null) yield* db.run("DELETE FROM secrets WHERE scope = ? AND name = ?", number, name);
  else
    yield* db.run(
      `INSERT INTO secrets (scope, name, value) VALUES (?, ?, ?)
        ON CONFLICT (scope, name) DO UPDATE SET value = excluded.value`,
      number,
      name,
      value,
    );
}

/** Number of rows that are read in one transaction. */
const PIECE = 100;

interface SecretRow extends Scope {
  readonly scope: number;
  readonly name: string;
  readonly value: Uint8Array;
}

export async function* allSecrets(db: SqlDatabase, signal?: AbortSignal): AsyncGenerator<StoredSecret> {
  for (let [scope, last] = [0, ""]; ; ) {
    const rows = await db.read(
      () =>
        db.all<SecretRow>(
          `SELECT x.scope, x.name, x.value, s.tenant, s.project, s."user" FROM secrets x JOIN scopes s ON s.id = x.scope
            WHERE (x.scope, x.name) > (?, ?) ORDER BY x.scope, x.name LIMIT ${PIECE}`,
          scope,
          last,
        ),
      signal,
    );
    for (const { tenant, project, user, value, ...row } of rows) {
      [scope, last] = [row.scope, row.name];
      yield { scope: { tenant, project, user }, name: row.name, value: new Uint8Array(value) };
    }
    if (rows.length < PIECE) return;
  }
}
