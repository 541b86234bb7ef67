/**
 * Mends what can be derived: SQLite's own indexes from their tables, and a conversation's index rows, words, snapshots
 * and counters from its events. Events, artifacts, references and bytes are the truth; damage to them stays and is named.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";
import type { BlobStore } from "../contract/blob-store.ts";
import type { Defect } from "../contract/conversation-store.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { rebuildConversation } from "./derived-rows.ts";
import { strayWords } from "./search-check.ts";
import { clearIndex, removeFromIndex } from "./search-index.ts";
import { checkDatabase, eachConversation, verifyJournal, verifyStore } from "./verify.ts";

const MENDABLE: ReadonlySet<Defect["code"]> = new Set([
  "index_missing",
  "index_mismatch",
  "snapshot_mismatch",
  "seq_gap",
]);

/** Gives the defects that remain. */
export async function* repairStore(db: Database, blobs: BlobStore, signal?: AbortSignal): AsyncGenerator<Defect> {
  if ((await checkDatabase(db)).length > 0) {
    await ifPossible(() => db.write(() => db.run("REINDEX"), signal));
    await ifPossible(() => db.write(() => mendWords(db), signal));
  }
  await ifPossible(() => db.write(() => strayWords(db).forEach((id) => void removeFromIndex(db, id)), signal));
  const mend = async (key: Parameters<typeof requireConversation>[1]) => {
    const defects = await verifyJournal(db, key, signal);
    if (defects.some(({ code }) => MENDABLE.has(code)))
      await ifPossible(() => db.write(() => rebuildConversation(db, requireConversation(db, key).id), signal));
    await yieldToOthers();
    return [];
  };
  yield* eachConversation(db, mend, signal);
  yield* verifyStore(db, blobs, signal);
}

/** The index of words checks itself; when it is not sound, all of it is made anew as events are indexed again. */
function mendWords(db: Database): void {
  try {
    db.run("INSERT INTO search (search) VALUES ('integrity-check')");
  } catch {
    clearIndex(db);
  }
}

/** Where the damage is in the way of mending, it stays, and the check that follows names it. */
async function ifPossible(mend: () => Promise<unknown>): Promise<void> {
  try {
    await mend();
  } catch (error) {
    if (!CairnError.is(error) || error.code !== "corrupt") throw error;
  }
}
