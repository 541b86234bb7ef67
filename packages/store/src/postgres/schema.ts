/**
 * The tables in PostgreSQL, as a list of migrations: those of the embedded store, with the full-text index and the
 * lease tokens in PostgreSQL's own terms. Migrations only go forward, and a released one never changes.
 *
 * Several versions of the program may use one database while it is upgraded: a migration only adds, and removes nothing
 * that the previous version needs. `compatible` is the oldest program that can still work after it.
 *
 * Text is compared byte by byte (`COLLATE "C"`), as everywhere in the store.
 */
export interface Migration {
  readonly sql: string;
  /** The oldest program that can still use the database, by the number of migrations it knows. */
  readonly compatible: number;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    compatible: 1,
    sql: `
CREATE TABLE scopes (
  id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  tenant TEXT COLLATE "C" NOT NULL,
  project TEXT COLLATE "C" NOT NULL,
  "user" TEXT COLLATE "C" NOT NULL,
  UNIQUE (tenant, project, "user")
);

CREATE TABLE conversations (
  id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  scope BIGINT NOT NULL REFERENCES scopes (id),
  conversation TEXT COLLATE "C" NOT NULL,
  stage BIGINT NOT NULL DEFAULT 0,
  staged_at BIGINT,
  attributes TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  last_activity_at BIGINT NOT NULL,
  title TEXT COLLATE "C",
  forked_from TEXT COLLATE "C",
  forked_seq BIGINT,
  last_seq BIGINT NOT NULL DEFAULT 0,
  last_timeline_seq BIGINT NOT NULL DEFAULT 0,
  next_position BIGINT NOT NULL DEFAULT 0,
  turns BIGINT NOT NULL DEFAULT 0,
  current_turn TEXT COLLATE "C",
  tail_events BIGINT NOT NULL DEFAULT 0,
  tail_chars BIGINT NOT NULL DEFAULT 0,
  snapshot_chars BIGINT NOT NULL DEFAULT 0,
  lease_token BIGINT NOT NULL DEFAULT 0,
  lease_holder TEXT COLLATE "C",
  lease_expires_at BIGINT,
  lease_ttl_ms BIGINT,
  CONSTRAINT conversations_name UNIQUE (scope, conversation)
) WITH (fillfactor = 70);
CREATE INDEX conversations_by_activity ON conversations (scope, last_activity_at, id);
CREATE INDEX conversations_open ON conversations (id) WHERE current_turn IS NOT NULL;
CREATE INDEX conversations_staged ON conversations (id) WHERE stage <> 0;

CREATE TABLE events (
  id BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  batch_end BIGINT NOT NULL,
  stored_at BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  v BIGINT NOT NULL,
  crc BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (conversation, seq)
);
CREATE UNIQUE INDEX events_by_id ON events (id);
CREATE INDEX events_compactions ON events (conversation, seq) WHERE kind = 'compaction.committed';

CREATE TABLE inputs (
  conversation BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (conversation, kind, key)
);

CREATE TABLE pending (
  conversation BIGINT NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (conversation, key)
);

CREATE TABLE paths (
  conversation BIGINT NOT NULL,
  rest TEXT COLLATE "C" NOT NULL,
  scheme TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  position BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  call_id TEXT COLLATE "C",
  PRIMARY KEY (conversation, rest, scheme, role, version, position)
);

CREATE TABLE turns (
  conversation BIGINT NOT NULL,
  ordinal BIGINT NOT NULL,
  turn_id TEXT COLLATE "C" NOT NULL,
  opened_seq BIGINT NOT NULL,
  last_seq BIGINT NOT NULL,
  closed_seq BIGINT,
  opened_at TEXT COLLATE "C",
  closed_at TEXT COLLATE "C",
  exit TEXT COLLATE "C",
  PRIMARY KEY (conversation, ordinal),
  UNIQUE (conversation, turn_id)
);

CREATE TABLE late_blocks (
  conversation BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (conversation, turn, seq)
);

CREATE TABLE pool (
  conversation BIGINT NOT NULL,
  sid BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (conversation, sid, seq)
);

CREATE TABLE snapshots (
  id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  timeline_seq BIGINT NOT NULL,
  ordinal BIGINT NOT NULL,
  version BIGINT NOT NULL,
  crc BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  UNIQUE (conversation, seq)
);

CREATE TABLE artifacts (
  id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  conversation BIGINT NOT NULL,
  number BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  turn_id TEXT COLLATE "C",
  ts TEXT COLLATE "C" NOT NULL,
  content_str TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  UNIQUE (conversation, number)
);
CREATE INDEX artifacts_by_kind ON artifacts (conversation, kind, ts, number);

CREATE TABLE blobs (
  tenant TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  free_since BIGINT,
  PRIMARY KEY (tenant, hash)
);
CREATE INDEX blobs_free ON blobs (free_since) WHERE free_since IS NOT NULL;

CREATE TABLE refs (
  conversation BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  used_seq BIGINT NOT NULL,
  PRIMARY KEY (conversation, hash)
);
CREATE INDEX refs_by_hash ON refs (hash);
CREATE INDEX refs_unused ON refs (created_at) WHERE used_seq = 0;

-- short-lived: a crash of the server may lose it, and nobody waits for it to be synced
CREATE UNLOGGED TABLE streams (
  conversation BIGINT NOT NULL,
  stream TEXT COLLATE "C" NOT NULL,
  start BIGINT NOT NULL,
  length BIGINT NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (conversation, stream, start)
);

CREATE TABLE spending (
  scope BIGINT NOT NULL,
  step BIGINT NOT NULL,
  tokens DOUBLE PRECISION NOT NULL,
  dollars DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (scope, step)
);

CREATE SEQUENCE lease_tokens;

-- the distinct words of an event's text, in as many pieces as PostgreSQL's limit on a vector asks for
CREATE TABLE search (
  event BIGINT NOT NULL,
  piece BIGINT NOT NULL,
  scope BIGINT NOT NULL,
  conversation BIGINT NOT NULL,
  words TSVECTOR NOT NULL,
  PRIMARY KEY (event, piece)
);
CREATE INDEX search_words ON search USING gin (words);
CREATE INDEX search_by_conversation ON search (conversation);
`,
  },
  // The first conversation of a chain of forks. A program that does not know the column leaves it empty.
  { compatible: 1, sql: `ALTER TABLE conversations ADD COLUMN forked_root TEXT COLLATE "C";` },
  {
    // A search index of our own, ranked by the statistics of a scope. All texts are indexed again, per scope, before
    // its next search. Programs of version 1 still write to `search`, so the table stays, but its old words are
    // deleted.
    compatible: 1,
    sql: `
TRUNCATE search;
ALTER TABLE conversations ADD COLUMN indexed_seq BIGINT NOT NULL DEFAULT 0;
CREATE INDEX conversations_unindexed ON conversations (scope, id) WHERE indexed_seq < last_seq;
CREATE TABLE search_segments (
  id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  scope BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  texts BYTEA NOT NULL,
  directory BYTEA NOT NULL
);
CREATE INDEX search_segments_by_scope ON search_segments (scope, id, bytes);
CREATE TABLE search_blocks (
  -- 2^20 times the segment's id, and the block's place in it
  id BIGINT PRIMARY KEY,
  data BYTEA NOT NULL
);
ALTER TABLE search_blocks ALTER COLUMN data SET STORAGE EXTERNAL;
`,
  },
  {
    // Words keep marks in scripts where marks are letters. All texts are indexed again, each scope's before its next
    // search. Text that a program of version 3 indexes meanwhile lacks those marks until it is repaired; other words
    // are the same.
    compatible: 1,
    sql: `
DELETE FROM search_segments;
DELETE FROM search_blocks;
UPDATE conversations SET indexed_seq = 0 WHERE indexed_seq > 0;
`,
  },
  // Characters of each conversation, counted from this version on. Older programs do not count what they write.
  { compatible: 1, sql: "ALTER TABLE conversations ADD COLUMN stored_chars BIGINT NOT NULL DEFAULT 0;" },
  {
    // Encrypted values of a scope. A program that does not know the table leaves them when it deletes a tenant; nobody
    // can read them then, and the next deletion of a tenant removes them.
    compatible: 1,
    sql: `
CREATE TABLE secrets (
  scope BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  value BYTEA NOT NULL,
  PRIMARY KEY (scope, name)
);
`,
  },
  {
    // Branches (see the same migration of the embedded store). A program that does not know them would delete events
    // that a branch still needs, so older programs must stop first.
    compatible: 7,
    sql: `
ALTER TABLE conversations ADD COLUMN parent BIGINT;
ALTER TABLE conversations ADD COLUMN cut BIGINT NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN cut_turns BIGINT NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN tree BIGINT;
ALTER TABLE conversations ADD COLUMN kept_seq BIGINT NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN unlisted BIGINT NOT NULL DEFAULT 0;
CREATE INDEX conversations_by_parent ON conversations (parent, cut) WHERE parent IS NOT NULL;
CREATE INDEX conversations_by_tree ON conversations (tree, last_activity_at, id) WHERE tree IS NOT NULL;
DROP INDEX conversations_by_activity;
CREATE INDEX conversations_listed ON conversations (scope, last_activity_at, id) WHERE unlisted = 0;
ALTER TABLE artifacts ADD COLUMN seq BIGINT NOT NULL DEFAULT 0;
CREATE TABLE lineage (
  conversation BIGINT NOT NULL,
  upto BIGINT NOT NULL,
  part BIGINT NOT NULL,
  PRIMARY KEY (conversation, upto)
);
CREATE INDEX lineage_by_part ON lineage (part, upto);
`,
  },
];
