/** The row of a conversation: found through its scope, listed by activity, and described to the outside. */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import type { Page, PageOptions } from "../contract/call-options.ts";
import { storeError } from "../contract/errors.ts";
import type { ConversationInfo, ForkOrigin } from "../contract/records.ts";
import { type ConversationKey, checkConversationKey, checkScope, type Scope } from "../contract/scope.ts";
import { toJson } from "../contract/to-json.ts";
import { decodeCursor, encodeCursor, pageLimit } from "./paging.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { fromColumn } from "./text-column.ts";
import type { SqlText, Work } from "./work.ts";

export interface ConversationRow {
  readonly id: number;
  readonly scope: number;
  readonly conversation: string;
  readonly stage: number;
  readonly staged_at: number | null;
  readonly attributes: string;
  readonly created_at: number;
  readonly last_activity_at: number;
  readonly title: string | null;
  readonly forked_from: string | null;
  readonly forked_seq: number | null;
  readonly forked_root: string | null;
  /** For a branch: the conversation that contains the event at its cut, and the first conversation of its tree. */
  readonly parent: number | null;
  readonly tree: number | null;
  /** For a branch: the last event and the number of turns that it shares with `parent`; otherwise 0. */
  readonly cut: number;
  readonly cut_turns: number;
  /** The seq of the last event that any branch of this conversation shares with it; 0 without branches. */
  readonly kept_seq: number;
  /** 1 when lists show another conversation of the tree. */
  readonly unlisted: number;
  readonly last_seq: number;
  readonly last_timeline_seq: number;
  readonly next_position: number;
  readonly turns: number;
  readonly current_turn: string | null;
  readonly tail_events: number;
  readonly tail_chars: number;
  readonly snapshot_chars: number;
  /** Characters of the conversation's own events. Events that older versions appended are not counted. */
  readonly stored_chars: number;
  readonly lease_token: number;
  readonly lease_holder: string | null;
  readonly lease_expires_at: number | null;
  readonly lease_ttl_ms: number | null;
  /** The last event whose words are in the search index. */
  readonly indexed_seq: number;
}

/** Maximum length of the attributes as JSON text. */
const MAX_ATTRIBUTES_LENGTH = 65_536;

const FIND = `SELECT c.* FROM scopes s JOIN conversations c ON c.scope = s.id
WHERE s.tenant = ? AND s.project = ? AND s."user" = ? AND c.conversation = ? AND c.stage = 0`;

/** SQLite runs one write transaction at a time; PostgreSQL must lock the row that a transaction will change. */
const FIND_AND_LOCK = { sqlite: FIND, postgres: `${FIND} FOR UPDATE OF c` };

/** Finds a conversation of a scope; null when there is none. Every call on a conversation uses this function. */
function* findConversation(db: SqlDatabase, key: ConversationKey, find: SqlText = FIND): Work<ConversationRow | null> {
  return (yield* db.get<ConversationRow>(find, key.tenant, key.project, key.user, key.conversation)) ?? null;
}

export function requireConversation(db: SqlDatabase, key: ConversationKey): Work<ConversationRow> {
  return required(db, key, FIND);
}

/** Like `requireConversation`. No other process changes the conversation before the caller's transaction ends. */
export function lockConversation(db: SqlDatabase, key: ConversationKey): Work<ConversationRow> {
  return required(db, key, FIND_AND_LOCK);
}

function* required(db: SqlDatabase, key: ConversationKey, find: SqlText): Work<ConversationRow> {
  checkConversationKey(key);
  const row = yield* findConversation(db, key, find);
  if (row === null)
    throw storeError("not_found", "There is no conversation with this id in this scope.", {
      conversation: key.conversation,
    });
  return row;
}

/** Like `requireConversation`, for calls of several steps: another conversation with the same id is refused. */
export function* requireSameConversation(db: SqlDatabase, key: ConversationKey, id: number): Work<ConversationRow> {
  const row = yield* requireConversation(db, key);
  if (row.id !== id)
    throw storeError("not_found", "The conversation was deleted, and another one now has its id. Load it again.", {
      conversation: key.conversation,
    });
  return row;
}

const BY_ID = "SELECT * FROM conversations WHERE id = ?";

export function* conversationById(db: SqlDatabase, id: number): Work<ConversationRow | null> {
  return (yield* db.get<ConversationRow>(BY_ID, id)) ?? null;
}

export function* lockById(db: SqlDatabase, id: number): Work<ConversationRow | null> {
  const found = yield* db.get<ConversationRow>({ sqlite: BY_ID, postgres: `${BY_ID} FOR UPDATE` }, id);
  return found ?? null;
}

/**
 * Like `lockById`, for a transaction that changes the tree: adds a branch, deletes a conversation or chooses which one
 * is listed. Such transactions run one after the other, because each locks the tree's first conversation. This row is
 * locked before any other, so that the transactions cannot deadlock.
 */
export function* lockWithTree(db: SqlDatabase, id: number): Work<ConversationRow | null> {
  const tree = (yield* conversationById(db, id))?.tree ?? null;
  if (tree !== null) yield* lockById(db, tree);
  return yield* lockById(db, id);
}

/** Like `lockConversation`, for a transaction that changes the tree. */
export function* lockConversationWithTree(db: SqlDatabase, key: ConversationKey): Work<ConversationRow> {
  yield* lockWithTree(db, (yield* requireConversation(db, key)).id);
  return yield* lockConversation(db, key);
}

const FIND_SCOPE = 'SELECT id FROM scopes WHERE tenant = ? AND project = ? AND "user" = ?';

/** The number of the scope, which every row of its conversations contains; created for a new scope. */
export function* scopeNumber(db: SqlDatabase, scope: Scope): Work<number> {
  const parts = [scope.tenant, scope.project, scope.user];
  const known = yield* db.get<{ id: number }>(FIND_SCOPE, ...parts);
  if (known !== undefined) return known.id;
  yield* db.run('INSERT INTO scopes (tenant, project, "user") VALUES (?, ?, ?) ON CONFLICT DO NOTHING', ...parts);
  const made = yield* db.get<{ id: number }>(FIND_SCOPE, ...parts);
  if (made === undefined)
    throw storeError(
      "corrupt",
      "The database did not return a row that was just written. Run cairn doctor to check the store.",
    );
  return made.id;
}

export interface NewConversation {
  readonly attributes: string;
  readonly createdAt: number;
  /** When staging began; without this time, the conversation is visible at once. */
  readonly stagedAt?: number;
  readonly forkedFrom?: ForkOrigin;
}

export function* insertConversation(
  db: SqlDatabase,
  key: ConversationKey,
  made: NewConversation,
): Work<ConversationRow> {
  const { attributes, createdAt, stagedAt, forkedFrom } = made;
  const scope = yield* scopeNumber(db, key);
  const row = yield* db.get<ConversationRow>(
    `INSERT INTO conversations
      (scope, conversation, stage, staged_at, attributes, created_at, last_activity_at,
        forked_from, forked_seq, forked_root)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    scope,
    key.conversation,
    stagedAt === undefined ? 0 : 1,
    stagedAt ?? null,
    attributes,
    createdAt,
    createdAt,
    forkedFrom?.conversation ?? null,
    forkedFrom?.seq ?? null,
    forkedFrom?.root ?? null,
  );
  if (row === undefined)
    throw storeError(
      "corrupt",
      "The database did not return a row that was just written. Run cairn doctor to check the store.",
    );
  return row;
}

export function* refuseTaken(db: SqlDatabase, key: ConversationKey): Work<void> {
  if ((yield* findConversation(db, key)) !== null)
    throw storeError("conversation_exists", "The scope already has a conversation with this id.", {
      conversation: key.conversation,
    });
}

export function encodeAttributes(attributes: JsonObject): string {
  if (!isJsonObject(attributes)) throw storeError("bad_argument", "The attributes must be a JSON object.");
  const text = toJson("attributes", attributes);
  if (text.length > MAX_ATTRIBUTES_LENGTH)
    throw storeError("too_large", `The attributes are longer than ${MAX_ATTRIBUTES_LENGTH} characters.`);
  return text;
}

export function describeConversation(row: ConversationRow): ConversationInfo {
  return {
    conversation: row.conversation,
    title: row.title === null ? null : fromColumn(row.title),
    attributes: JSON.parse(row.attributes) as JsonObject,
    created_at: row.created_at,
    last_activity_at: row.last_activity_at,
    last_seq: row.last_seq,
    last_timeline_seq: row.last_timeline_seq,
    turns: row.turns,
    open_turn: row.current_turn === null ? null : fromColumn(row.current_turn),
    forked_from: describeOrigin(row),
    listed: row.unlisted === 0,
  };
}

function describeOrigin(row: ConversationRow): ForkOrigin | null {
  const origin = originOf(row);
  return origin === null || row.parent === null ? origin : { ...origin, branch: true };
}

/** Where the conversation comes from. Conversations that are not branches have no field `branch`. */
export function originOf({
  forked_from: conversation,
  forked_seq: seq,
  forked_root: root,
}: ConversationRow): ForkOrigin | null {
  return conversation === null ? null : { conversation, seq: seq ?? 0, ...(root === null ? {} : { root }) };
}

const LIST = `SELECT c.* FROM conversations c
WHERE c.scope = (SELECT id FROM scopes WHERE tenant = ? AND project = ? AND "user" = ?) AND c.unlisted = 0 AND c.stage = 0
AND (c.last_activity_at, c.id) < (?, ?) ORDER BY c.last_activity_at DESC, c.id DESC LIMIT ?`;

export function* listConversations(db: SqlDatabase, scope: Scope, options: PageOptions): Work<Page<ConversationInfo>> {
  checkScope(scope);
  const limit = pageLimit(options.limit, 50);
  const [at, id] = decodeCursor(options.cursor, 2) ?? [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const rows = yield* db.all<ConversationRow>(
    LIST,
    scope.tenant,
    scope.project,
    scope.user,
    at ?? 0,
    id ?? 0,
    limit + 1,
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(describeConversation),
    next: rows.length > limit && last !== undefined ? encodeCursor(last.last_activity_at, last.id) : null,
  };
}

const NEXT = `SELECT c.id, s.tenant, s.project, s."user", c.conversation
FROM conversations c JOIN scopes s ON s.id = c.scope WHERE c.id > ? AND c.stage = 0 ORDER BY c.id LIMIT 1`;

/** Every conversation of every scope, in the order they were made. */
export async function* allConversations(
  db: SqlDatabase,
  signal?: AbortSignal,
): AsyncGenerator<ConversationKey, undefined, undefined> {
  for (let after = 0; ; ) {
    const next = await db.read(() => db.get<ConversationKey & { readonly id: number }>(NEXT, after), signal);
    if (next === undefined) return undefined;
    const { id, tenant, project, user, conversation } = next;
    after = id;
    yield { tenant, project, user, conversation };
  }
}
