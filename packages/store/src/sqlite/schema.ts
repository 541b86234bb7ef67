/**
 * The tables, as a list of migrations. `user_version` is the number of migrations that were applied. Migrations only go
 * forward, and a released one never changes. docs/store.md describes every column.
 *
 * Primary data is in `scopes`, `conversations`, `events`, `artifacts`, `refs`, `blobs`, `spending` and `secrets`. Everything
 * else is derived from the events (`inputs`, `pending`, `paths`, `turns`, `late_blocks`, `pool`, `snapshots`,
 * `search_segments`, `search_blocks`, `lineage`) or short-lived (`streams`, `counters`).
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE scopes (
  id INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  project TEXT NOT NULL,
  user TEXT NOT NULL,
  UNIQUE (tenant, project, user)
) STRICT;

CREATE TABLE conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope INTEGER NOT NULL REFERENCES scopes (id),
  conversation TEXT NOT NULL,
  -- 0 visible, 1 being written by an import or a fork, 2 being deleted, 3 deleted but needed by branches
  stage INTEGER NOT NULL DEFAULT 0,
  staged_at INTEGER,
  attributes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL,
  title TEXT,
  forked_from TEXT,
  forked_seq INTEGER,
  last_seq INTEGER NOT NULL DEFAULT 0,
  last_timeline_seq INTEGER NOT NULL DEFAULT 0,
  next_position INTEGER NOT NULL DEFAULT 0,
  turns INTEGER NOT NULL DEFAULT 0,
  -- the last turn, while it is open
  current_turn TEXT,
  -- events and characters behind the last snapshot, and the characters of that snapshot
  tail_events INTEGER NOT NULL DEFAULT 0,
  tail_chars INTEGER NOT NULL DEFAULT 0,
  snapshot_chars INTEGER NOT NULL DEFAULT 0,
  lease_token INTEGER NOT NULL DEFAULT 0,
  lease_holder TEXT,
  lease_expires_at INTEGER,
  UNIQUE (scope, conversation)
) STRICT;
CREATE INDEX conversations_by_activity ON conversations (scope, last_activity_at, id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL REFERENCES conversations (id),
  seq INTEGER NOT NULL,
  batch_end INTEGER NOT NULL,
  stored_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  v INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (conversation, seq)
) STRICT;
CREATE INDEX events_compactions ON events (conversation, seq) WHERE kind = 'compaction.committed';

CREATE TABLE inputs (
  conversation INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (conversation, kind, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE paths (
  conversation INTEGER NOT NULL,
  rest TEXT NOT NULL,
  scheme TEXT NOT NULL,
  role TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  call_id TEXT,
  PRIMARY KEY (conversation, rest, scheme, role, version, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
  conversation INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  turn_id TEXT NOT NULL,
  opened_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  closed_seq INTEGER,
  opened_at TEXT,
  closed_at TEXT,
  exit TEXT,
  PRIMARY KEY (conversation, ordinal),
  UNIQUE (conversation, turn_id)
) STRICT, WITHOUT ROWID;

-- blocks that landed after their turn had closed or another had begun
CREATE TABLE late_blocks (
  conversation INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (conversation, turn, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE pool (
  conversation INTEGER NOT NULL,
  sid INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (conversation, sid, seq)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE search USING fts5 (
  scope, text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);

CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  timeline_seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  version INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (conversation, seq)
) STRICT;

CREATE TABLE artifacts (
  id INTEGER PRIMARY KEY,
  conversation INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  turn_id TEXT,
  ts TEXT NOT NULL,
  content_str TEXT NOT NULL,
  payload TEXT NOT NULL,
  UNIQUE (conversation, number)
) STRICT;
CREATE INDEX artifacts_by_kind ON artifacts (conversation, kind, ts, number);

CREATE TABLE blobs (
  tenant TEXT NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- when the last reference went; null while there is one
  free_since INTEGER,
  PRIMARY KEY (tenant, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE refs (
  conversation INTEGER NOT NULL,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- seq of the first event that names it; 0 before there is one
  used_seq INTEGER NOT NULL,
  PRIMARY KEY (conversation, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX refs_by_hash ON refs (hash);

CREATE TABLE streams (
  conversation INTEGER NOT NULL,
  stream TEXT NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (conversation, stream, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES ('lease_token', 0), ('searchable', 0);
`,
  // Words are merged sixteen segments at a time instead of four, so a growing database rewrites them half as often.
  `INSERT INTO search (search, rank) VALUES ('automerge', 16);`,
  // The duration of a lease. In addition, words are indexed again, in one normal form of each character.
  `
ALTER TABLE conversations ADD COLUMN lease_ttl_ms INTEGER;
INSERT INTO search (search) VALUES ('delete-all');
UPDATE counters SET value = 0 WHERE name = 'searchable';
`,
  // Spending of each scope on models, by the minute.
  `
CREATE TABLE spending (
  scope INTEGER NOT NULL REFERENCES scopes (id),
  -- minutes since 1970
  step INTEGER NOT NULL,
  tokens REAL NOT NULL,
  dollars REAL NOT NULL,
  PRIMARY KEY (scope, step)
) STRICT, WITHOUT ROWID;
`,
  // Waiting messages, so that work left by a dead process is found without loading conversations.
  `
CREATE TABLE pending (
  conversation INTEGER NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (conversation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversations_open ON conversations (id) WHERE current_turn IS NOT NULL;
INSERT INTO pending (conversation, key, seq)
SELECT i.conversation, i.key, i.seq FROM inputs i WHERE i.kind = 'input.received' AND NOT EXISTS (
  SELECT 1 FROM events e WHERE e.conversation = i.conversation AND e.kind = 'input.promoted'
  AND json_extract(e.body, '$.key') = i.key
);
`,
  // Adds the conversation from which a chain of forks began.
  `ALTER TABLE conversations ADD COLUMN forked_root TEXT;`,
  // A search index of our own, ranked by the statistics of a scope. Each scope is indexed again before its next search.
  `
DROP TABLE search;
DELETE FROM counters WHERE name = 'searchable';
ALTER TABLE conversations ADD COLUMN indexed_seq INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_unindexed ON conversations (scope, id) WHERE indexed_seq < last_seq;
CREATE TABLE search_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope INTEGER NOT NULL REFERENCES scopes (id),
  bytes INTEGER NOT NULL,
  texts BLOB NOT NULL,
  directory BLOB NOT NULL
) STRICT;
CREATE INDEX search_segments_by_scope ON search_segments (scope, id, bytes);
CREATE TABLE search_blocks (
  -- 2^20 times the segment's id, and the block's place in it
  id INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;
`,
  // Words keep marks of scripts in which marks are letters. Each scope is indexed again before its next search.
  `
DELETE FROM search_segments;
DELETE FROM search_blocks;
UPDATE conversations SET indexed_seq = 0;
`,
  // Characters of each conversation, counted from this version on.
  "ALTER TABLE conversations ADD COLUMN stored_chars INTEGER NOT NULL DEFAULT 0;",
  // Encrypted values of a scope.
  `
CREATE TABLE secrets (
  scope INTEGER NOT NULL REFERENCES scopes (id),
  name TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (scope, name)
) STRICT, WITHOUT ROWID;
`,
  // Branches. `parent`, `cut` and `cut_turns`: a branch begins with the events of `parent` up to the seq `cut`, which
  // contain `cut_turns` turns; null, 0 and 0 for a conversation that is not a branch. `tree`: the first conversation of
  // the tree; null for the first conversation itself. `kept_seq`: the greatest cut of its branches. `unlisted`: lists
  // show another conversation of the tree. `lineage` has a row for every part of a branch's journal, the last one for
  // its own events.
  `
ALTER TABLE conversations ADD COLUMN parent INTEGER;
ALTER TABLE conversations ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN cut_turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN tree INTEGER;
ALTER TABLE conversations ADD COLUMN kept_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_by_parent ON conversations (parent, cut) WHERE parent IS NOT NULL;
CREATE INDEX conversations_by_tree ON conversations (tree, last_activity_at, id) WHERE tree IS NOT NULL;
DROP INDEX conversations_by_activity;
CREATE INDEX conversations_listed ON conversations (scope, last_activity_at, id) WHERE unlisted = 0;
ALTER TABLE artifacts ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
CREATE TABLE lineage (
  conversation INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  part INTEGER NOT NULL,
  PRIMARY KEY (conversation, upto)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_by_part ON lineage (part, upto);
`,
];
