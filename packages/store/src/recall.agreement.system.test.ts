/** Both databases give the same hits in the same order: they share the analysis, the index and the ranking. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConversationStore } from "./contract/conversation-store.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { BlobFolder } from "./fs/blob-folder.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";

const missing = whyNoPostgres();
const SCOPE = { tenant: "t", project: "p", user: "u" };
const CONVERSATIONS = 12;
const MESSAGES = 100;
const QUERIES = 1_000;
const WORDS =
  "anchor autumn balcony barley basket beacon bridge candle canyon cellar cherry cinder copper corner cotton cradle dancer desert dinner dragon engine ember fabric falcon feather fiddle forest fountain garden ginger glacier granite hammer harbour harvest helmet island jacket jungle kettle ladder lantern lemon letter library lumber magnet mango marble meadow mirror monsoon needle nickel nutmeg orchard oyster paddle palace pebble pepper pigeon planet pocket café Zoë がく かく काम कम ที่ทา مُحَمَّد שָׁלוֹם".split(
    " ",
  );

describe.skipIf(missing !== null)(`search over two databases${missing === null ? "" : ` (${missing})`}`, () => {
  let server: PostgresServer;
  const root = mkdtempSync(join(tmpdir(), "cairn-agreement-"));
  beforeAll(async () => {
    server = await startPostgres({ sync: false });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(root, { recursive: true });
  });

  it("agrees on the first ten hits of a thousand queries, though it was indexed in different pieces", async () => {
    const blobs = new BlobFolder(join(root, "blobs"));
    const stores = [
      await openEmbeddedStore({ dir: join(root, "data"), sync: "off" }),
      await openPostgresStore({ url: await server.createDatabase(), blobs, connections: 2 }),
    ];
    for (const [nth, store] of stores.entries()) await fill(store, nth === 0 ? 7 : 1_000);
    const next = randomNumbers(2);
    for (let query = 0; query < QUERIES; query++) {
      const asked = sentence(next, 1 + Math.floor(next() * 5));
      const found = await Promise.all(stores.map((store) => firstTen(store, asked)));
      expect([asked, found[0]]).toEqual([asked, found[1]]);
    }
    for (const store of stores) await store.close();
  });

  /** Searches after every `pause` conversations, so that the index is written and merged in other pieces. */
  async function fill(store: ConversationStore, pause: number): Promise<void> {
    const next = randomNumbers(1);
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      const events = Array.from({ length: MESSAGES }, (_, nth) => message(nth, conversation, sentence(next, 12)));
      await store.createConversation({ ...SCOPE, conversation: `c${conversation}` }, { events });
      if (conversation % pause === 0) await store.search(SCOPE, "anchor");
    }
  }

  async function firstTen(store: ConversationStore, query: string) {
    const { items } = await store.search(SCOPE, query, { limit: 10 });
    return items.map(({ conversation, position, score }) => `${conversation} ${position} ${score}`);
  }
});

function message(position: number, conversation: number, text: string): TimelineEvent {
  const turn_id = `turn_${Math.floor(position / 2)}`;
  const type = position % 2 === 0 ? "user.prompt" : "assistant.completion";
  const ts = new Date(Date.UTC(2026, 0, 1 + conversation, 0, position)).toISOString();
  return makeEvent("block.appended", { position, block: { type, turn_id, ts, text }, tokens: 1, version: 0 });
}

function sentence(next: () => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[Math.floor(WORDS.length * next() ** 2)]).join(" ");
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
