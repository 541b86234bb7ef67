/** Others that search text, each with what its documentation offers for this: any word counts, the best match first. */
import { DatabaseSync } from "node:sqlite";
import { create, insertMultiple, save, search } from "@orama/orama";
import MiniSearch from "minisearch";
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

export const miniSearch: Contender = {
  name: "MiniSearch",
  async fill(messages) {
    const index = new MiniSearch({ fields: ["text"], idField: "nth" });
    index.addAll(messages.map(({ text }, nth) => ({ nth, text })));
    return {
      async find(question, limit) {
        return index
          .search(question)
          .slice(0, limit)
          .map(({ id }) => messages[Number(id)]?.id ?? "");
      },
      async indexBytes() {
        return Buffer.byteLength(JSON.stringify(index));
      },
      async close() {},
    };
  },
};

export const orama: Contender = {
  name: "Orama, English stemming",
  async fill(messages) {
    const index = create({
      schema: { text: "string", nth: "number" } as const,
      components: { tokenizer: { language: "english", stemming: true } },
    });
    await insertMultiple(
      index,
      messages.map(({ text }, nth) => ({ text, nth })),
    );
    return {
      async find(question, limit) {
        const { hits } = await search(index, { term: question, properties: ["text"], threshold: 1, limit });
        return hits.map(({ document }) => messages[document.nth]?.id ?? "");
      },
      async indexBytes() {
        const { docs: _, ...rest } = save(index);
        return Buffer.byteLength(JSON.stringify(rest));
      },
      async close() {},
    };
  },
};
