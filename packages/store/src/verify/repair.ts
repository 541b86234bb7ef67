/**
 * Repairs derived data: the database's own indexes from their tables, and a conversation's index rows, words, snapshots
 * and counters from its events. Events, artifacts, references and bytes are the truth; damage to them remains and is
 * reported.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";
import type { Defect } from "../contract/conversation-store.ts";
import type { ConversationKey } from "../contract/scope.ts";
import type { Backend } from "../sql/backend.ts";
import { requireConversation } from "../sql/conversations.ts";
import { strayWords } from "../sql/search/word-check.ts";
import { rebuildConversation } from "./derived-rows.ts";
import { eachConversation, verifyJournal, verifyStore } from "./verify.ts";

const MENDABLE: ReadonlySet<Defect["code"]> = new Set([
  "index_missing",
  "index_mismatch",
  "snapshot_mismatch",
  "seq_gap",
]);

/** Repairs the store and yields the defects that remain. */
export async function* repairStore(backend: Backend, signal?: AbortSignal): AsyncGenerator<Defect> {
  const { db } = backend;
  if ((await backend.checkDatabase()).length > 0) await ifPossible(() => backend.mendDatabase(signal));
  await ifPossible(() =>
    db.write(function* () {
      for (const stray of yield* strayWords(db)) yield* db.texts.forget(stray);
    }, signal),
  );
  const mend = async (key: ConversationKey) => {
    const defects = await verifyJournal(backend, key, signal);
    if (defects.some(({ code }) => MENDABLE.has(code)))
      await ifPossible(() =>
        db.write(function* () {
          yield* rebuildConversation(db, (yield* requireConversation(db, key)).id);
        }, signal),
      );
    await yieldToOthers();
    return [];
  };
  yield* eachConversation(backend, mend, signal);
  yield* verifyStore(backend, signal);
}

/** Repairs if possible: damage that prevents a repair remains, and the check that follows reports it. */
async function ifPossible(mend: () => Promise<unknown>): Promise<void> {
  try {
    await mend();
  } catch (error) {
    if (!CairnError.is(error) || error.code !== "corrupt") throw error;
  }
}
