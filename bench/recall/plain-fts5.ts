/** SQLite's own full-text search, used as its documentation recommends: any word counts, the best match first. */
import { DatabaseSync } from "node:sqlite";
import type { Contender } from "./contender.ts";

const WORD = /[\p{L}\p{N}]+/gu;

export const plainFts5: Contender = {
  name: "SQLite FTS5, porter, bm25",
  async fill(messages) {
    const db = new DatabaseSync(":memory:");
    db.exec("CREATE VIRTUAL TABLE search USING fts5 (text, content = '', tokenize = 'porter unicode61')");
    const insert = db.prepare("INSERT INTO search (rowid, text) VALUES (?, ?)");
    for (const [nth, { text }] of messages.entries()) insert.run(nth, text);
    const find = db.prepare("SELECT rowid AS nth FROM search WHERE search MATCH ? ORDER BY rank LIMIT ?");
    return {
      async find(question, limit) {
        const words = question.match(WORD) ?? [];
        if (words.length === 0) return [];
        const rows = find.all(words.map((word) => `"${word}"`).join(" OR "), limit);
        return rows.map(({ nth }) => messages[Number(nth)]?.id ?? "");
      },
      async indexBytes() {
        return Number(db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search%'").get()?.bytes);
      },
      async close() {
        db.close();
      },
    };
  },
};
