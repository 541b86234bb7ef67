/** The lower bound for the store: a bare durable INSERT, and a file that is rewritten completely. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { TimelineEvent } from "@cairn/timeline";

/** One table, one transaction for each round, with the settings of the store; no check, no seq and no index. */
export class BareTable {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(dir: string) {
    this.#db = new DatabaseSync(join(dir, "bare.db"));
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000");
    this.#db.exec("CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT) STRICT");
    this.#insert = this.#db.prepare("INSERT INTO events (body) VALUES (?)");
  }

  append(events: readonly TimelineEvent[]): void {
    this.#db.exec("BEGIN IMMEDIATE");
    for (const event of events) this.#insert.run(JSON.stringify(event));
    this.#db.exec("COMMIT");
  }

  checkpoint(): void {
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#db.close();
  }
}

/** Writes the whole file again: stringify, temporary file, sync, rename. */
export function rewriteWhole(dir: string, events: readonly TimelineEvent[]): void {
  const file = join(dir, "whole.json");
  const handle = openSync(`${file}.tmp`, "w");
  writeSync(handle, JSON.stringify(events));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.tmp`, file);
}
