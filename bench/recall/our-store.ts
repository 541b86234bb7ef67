/** The embedded store, as an application uses it: a conversation is written, and searched. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEmbeddedStore, type SearchOptions } from "@cairn/store";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import type { Contender } from "./contender.ts";
import type { RecallMessage } from "./recall-set.ts";

const KEY = { tenant: "bench", project: "recall", user: "reader", conversation: "c" };
const START = Date.UTC(2026, 0, 1);

export function ourStore(name: string, options: SearchOptions): Contender {
  return {
    name,
    async fill(messages) {
      const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-recall-"));
      const store = await openEmbeddedStore({ dir, sync: "off" });
      await store.createConversation(KEY, { events: messages.map(eventOf) });
      return {
        async find(question, limit) {
          const { items } = await store.search(KEY, question, { ...options, limit });
          return items.map(({ position }) => messages[position]?.id ?? "");
        },
        async indexBytes() {
          await store.search(KEY, "x");
          return indexBytes(join(dir, "cairn.db"));
        },
        async close() {
          await store.close();
          rmSync(dir, { recursive: true });
        },
      };
    },
  };
}

function eventOf({ role, text }: RecallMessage, position: number): TimelineEvent {
  const turn_id = `turn_${position}`;
  const type = role === "user" ? "user.prompt" : "assistant.completion";
  const block = {
    type,
    turn_id,
    path: `ar:${turn_id}.${type}`,
    ts: new Date(START + position * 60_000).toISOString(),
    text,
  };
  return makeEvent("block.appended", { position, block, tokens: 1, version: 1 });
}

/** Pages of the search index's own tables. */
function indexBytes(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search%'").get();
  db.close();
  return Number(row?.bytes ?? 0);
}
