/**
 * Looks for everything that is not as it was written, and names each defect. Reads only, a piece at a time, beside
 * writers: what they append meanwhile is checked as well, and what they delete is left out.
 */
import { setTimeout as sleep, setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";
import type { BlobStore } from "../contract/blob-store.ts";
import type { Defect } from "../contract/conversation-store.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { JournalCheck } from "./journal-check.ts";
import { findReference, type RefRow } from "./references.ts";
import { strayWords } from "./search-check.ts";
import { toStoreError } from "./sqlite-error.ts";

/** Longer than a put takes from its reference to its end. */
const PUT_MS = 200;

export async function* verifyStore(db: Database, blobs: BlobStore, signal?: AbortSignal): AsyncGenerator<Defect> {
  yield* await checkDatabase(db);
  yield* await checkStrayWords(db, signal);
  yield* eachConversation(db, (key) => verifyConversation(db, blobs, key, signal), signal);
}

/** Runs `check` on every conversation, and gives the defects it finds. */
export async function* eachConversation(
  db: Database,
  check: (key: ConversationKey) => Promise<Defect[]>,
  signal?: AbortSignal,
): AsyncGenerator<Defect> {
  let after = 0;
  for (;;) {
    const next = await orDefect(null, () => db.read(() => nextConversation(db, after), signal));
    if ("defect" in next) {
      yield next.defect;
      return;
    }
    if (next.value === undefined) return;
    const { id, ...key } = next.value;
    after = id;
    yield* await unlessDeleted(() => check(key));
  }
}

async function unlessDeleted(check: () => Promise<Defect[]>): Promise<Defect[]> {
  try {
    return await check();
  } catch (error) {
    if (CairnError.is(error) && error.code === "not_found") return [];
    throw error;
  }
}

export async function verifyConversation(
  db: Database,
  blobs: BlobStore,
  key: ConversationKey,
  signal?: AbortSignal,
): Promise<Defect[]> {
  const defects = await verifyJournal(db, key, signal);
  const refs = await orDefect(key, () => db.read(() => referencesOf(db, key), signal));
  if ("defect" in refs) return [...defects, refs.defect];
  for (const ref of refs.value) {
    const defect = await checkBlob(blobs, key, ref, signal);
    if (defect === null) continue;
    // A put that is under way may be about to write its bytes once more (`BlobFolder.putWith`).
    if (ref.used_seq === 0) await sleep(PUT_MS);
    // A reference that `gc` dropped meanwhile took its bytes with it.
    const { id } = await db.read(() => requireConversation(db, key), signal);
    if ((await db.read(() => findReference(db, id, ref.hash), signal)) === null) continue;
    const again = await checkBlob(blobs, key, ref, signal);
    if (again !== null) defects.push(again);
  }
  return defects;
}

/** Everything but the bytes. */
export async function verifyJournal(db: Database, key: ConversationKey, signal?: AbortSignal): Promise<Defect[]> {
  const defects: Defect[] = [];
  const row = await db.read(() => requireConversation(db, key), signal);
  const journal = new JournalCheck(db, row, key, defects);
  try {
    const checked = await orDefect(key, async () => {
      for (let more = true; more; ) {
        more = await db.read(() => journal.checkPiece(), signal);
        await yieldToOthers();
      }
    });
    return "defect" in checked ? [...defects, checked.defect] : defects;
  } finally {
    journal.close();
  }
}

function referencesOf(db: Database, key: ConversationKey): RefRow[] {
  const { id } = requireConversation(db, key);
  return db.all<RefRow>("SELECT hash, size, used_seq FROM refs WHERE conversation = ?", id);
}

async function checkBlob(
  blobs: BlobStore,
  key: ConversationKey,
  { hash, size }: RefRow,
  signal?: AbortSignal,
): Promise<Defect | null> {
  try {
    let read = 0;
    for await (const chunk of blobs.get(key.tenant, hash, signal === undefined ? {} : { signal })) read += chunk.length;
    if (read === size) return null;
    return { code: "blob_corrupt", message: `${hash} has ${read} bytes instead of ${size}.`, key, blob: hash };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    const code = error.code === "not_found" ? "blob_missing" : "blob_corrupt";
    return { code, message: `${hash}: ${error.message}`, key, blob: hash };
  }
}

async function checkStrayWords(db: Database, signal?: AbortSignal): Promise<Defect[]> {
  const strays = await orDefect(null, () => db.read(() => strayWords(db), signal));
  if ("defect" in strays) return [strays.defect];
  if (strays.value.length === 0) return [];
  const message = `The search index has words of ${strays.value.length} events that are not there. \`repair\` removes them.`;
  return [{ code: "index_mismatch", message, key: null }];
}

export async function checkDatabase(db: Database): Promise<Defect[]> {
  const checked = await orDefect(null, () =>
    db.read(() => {
      // A search makes FTS5 look at its index anew; its check alone goes by what this connection saw last, and would
      // miss pieces that another one has merged since.
      db.get("SELECT rowid FROM search WHERE search MATCH 'x' LIMIT 1");
      return db.all<{ integrity_check: string }>("PRAGMA integrity_check(100)");
    }),
  );
  if ("defect" in checked) return [checked.defect];
  return checked.value
    .map((row) => row.integrity_check)
    .filter((line) => line !== "ok")
    .map((line) => ({ code: "database_corrupt" as const, message: `SQLite: ${line}`, key: null }));
}

function nextConversation(db: Database, after: number) {
  return db.get<ConversationKey & { id: number }>(
    `SELECT c.id, s.tenant, s.project, s.user, c.conversation FROM conversations c JOIN scopes s ON s.id = c.scope
      WHERE c.id > ? AND c.stage = 0 ORDER BY c.id LIMIT 1`,
    after,
  );
}

type Checked<T> = { readonly value: T } | { readonly defect: Defect };

/** A page that cannot be read is a defect to be named, not the end of the check. */
async function orDefect<T>(key: ConversationKey | null, work: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const typed = toStoreError(error);
    if (CairnError.is(typed) && typed.code === "corrupt")
      return { defect: { code: "database_corrupt", message: typed.message, key } };
    throw typed;
  }
}
