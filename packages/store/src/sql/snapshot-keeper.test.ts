/** Tests which states are followed: large ones are forgotten, whether blocks or sources make them large. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { openEmbeddedStore } from "../embedded-store.ts";
import { openDatabase } from "../sqlite/open.ts";
import { conversationById } from "./conversations.ts";
import { SnapshotKeeper } from "./snapshot-keeper.ts";

const CHARS = 17_000_000;

it("follows as many states as have 32 million characters, and forgets the least recently used", async () => {
  const dir = mkdtempSync(join(tmpdir(), "cairn-keeper-"));
  const store = await openEmbeddedStore({ dir });
  const large = "x".repeat(CHARS);
  const block = { type: "react.thinking", text: large };
  const events = {
    pool: makeEvent("sources.merged", { rows: [{ sid: 1, text: large }] }),
    content: makeEvent("sources.merged", { rows: [{ sid: 1, content: large }] }),
    blocks: makeEvent("block.appended", { position: 0, block, tokens: CHARS, version: 0 }),
    small: makeEvent("meta.set", { conversation_title: "small" }),
  };
  const ids = new Map<string, number>();
  const db = await openDatabase(join(dir, "cairn.db"), { busyTimeoutMs: 10_000, sync: "off" });
  const keeper = new SnapshotKeeper(db);
  /** The conversations that are not followed any more. A due snapshot of a followed conversation needs no loading. */
  const forgotten = async () => {
    const found: string[] = [];
    for (const [name, id] of ids) {
      const event = makeEvent("meta.set", { conversation_title: name });
      const isForgotten = await db.write(function* () {
        const conversation = yield* conversationById(db, id);
        if (conversation === null) throw new Error(`no conversation ${id}`);
        const written = [{ event, body: "", blobs: [] }] as never;
        const outcome = { conversation, written, afterSeq: 1, snapshotDue: true, appended: null as never };
        return yield* keeper.noteAppend(outcome);
      });
      if (isForgotten) found.push(name);
    }
    return found;
  };
  for (const [name, event] of Object.entries(events)) {
    const key = { tenant: "t", project: "p", user: "u", conversation: name };
    await store.createConversation(key, { events: [event] });
    const { id } = db.connection.prepare("SELECT id FROM conversations WHERE conversation = ?").get(name) as {
      id: number;
    };
    ids.set(name, id);
    await keeper.catchUp(id);
  }
  expect(await forgotten()).toEqual(["pool", "content"]);
  db.close();
  await store.close();
  rmSync(dir, { recursive: true });
});
