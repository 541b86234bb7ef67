/** Finds all damage and reports each defect. The check only reads, in pieces, while others write. */
import { setTimeout as sleep, setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError, nullIfNotFound } from "@cairn/timeline";
import type { BlobStore } from "../contract/blob-store.ts";
import type { Defect } from "../contract/conversation-store.ts";
import type { ConversationKey } from "../contract/scope.ts";
import type { Backend } from "../sql/backend.ts";
import { allConversations, requireConversation } from "../sql/conversations.ts";
import { findReference, type RefRow, usedReferences } from "../sql/references.ts";
import { strayWords } from "../sql/search/word-check.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { Work } from "../sql/work.ts";
import { JournalCheck } from "./journal-check.ts";

/** How long a blob may be missing while a put is in progress: longer than a put takes after it made its reference. */
const PUT_MS = 200;

export async function* verifyStore(backend: Backend, signal?: AbortSignal): AsyncGenerator<Defect> {
  yield* await backend.checkDatabase();
  yield* await checkStrayWords(backend, signal);
  yield* eachConversation(backend, (key) => verifyConversation(backend, key, signal), signal);
}

/** Runs `check` on every conversation and yields the defects. */
export async function* eachConversation(
  backend: Backend,
  check: (key: ConversationKey) => Promise<Defect[]>,
  signal?: AbortSignal,
): AsyncGenerator<Defect> {
  const keys = allConversations(backend.db, signal);
  for (;;) {
    const next = await orDefect(backend, null, () => keys.next());
    if ("defect" in next) {
      yield next.defect;
      return;
    }
    const { value: key, done } = next.value;
    if (done === true) return;
    yield* (await check(key).catch(nullIfNotFound)) ?? [];
  }
}

export async function verifyConversation(
  backend: Backend,
  key: ConversationKey,
  signal?: AbortSignal,
): Promise<Defect[]> {
  const { db, blobs } = backend;
  const defects = await verifyJournal(backend, key, signal);
  const refs = await orDefect(backend, key, () => db.read(() => referencesOf(db, key), signal));
  if ("defect" in refs) return [...defects, refs.defect];
  for (const ref of refs.value) {
    const defect = await checkBlob(blobs, key, ref, signal);
    if (defect === null) continue;
    // Waits, because a put in progress may be about to write its bytes again (`KeptBlobs.putWith`).
    if (ref.used_seq === 0) await sleep(PUT_MS);
    // This is no defect if `gc` has dropped the reference together with its bytes meanwhile.
    if (!(await db.read(() => stillRefers(db, key, ref), signal))) continue;
    const again = await checkBlob(blobs, key, ref, signal);
    if (again !== null) defects.push(again);
  }
  return defects;
}

/** Checks everything except the bytes of blobs. */
export async function verifyJournal(backend: Backend, key: ConversationKey, signal?: AbortSignal): Promise<Defect[]> {
  const { db } = backend;
  const defects: Defect[] = [];
  const row = await db.read(() => requireConversation(db, key), signal);
  const journal = new JournalCheck(db, row, key, defects);
  try {
    const checked = await orDefect(backend, key, async () => {
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

function* referencesOf(db: SqlDatabase, key: ConversationKey): Work<RefRow[]> {
  const row = yield* requireConversation(db, key);
  const own = yield* db.all<RefRow>("SELECT hash, size, used_seq FROM refs WHERE conversation = ?", row.id);
  const known = new Set(own.map(({ hash }) => hash));
  return [...own, ...(yield* usedReferences(db, row)).filter(({ hash }) => !known.has(hash))];
}

function* stillRefers(db: SqlDatabase, key: ConversationKey, { hash }: RefRow): Work<boolean> {
  return (yield* findReference(db, yield* requireConversation(db, key), hash)) !== null;
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
    // Bytes are not reported as missing when the service that stores them cannot be reached.
    if (!CairnError.is(error) || (error.code !== "not_found" && error.details?.service !== undefined)) throw error;
    const code = error.code === "not_found" ? "blob_missing" : "blob_corrupt";
    return { code, message: `${hash}: ${error.message}`, key, blob: hash };
  }
}

async function checkStrayWords(backend: Backend, signal?: AbortSignal): Promise<Defect[]> {
  const { db } = backend;
  const strays = await orDefect(backend, null, () => db.read(() => strayWords(db), signal));
  if ("defect" in strays) return [strays.defect];
  if (strays.value.length === 0) return [];
  const message = `The search index has words of ${strays.value.length} conversations that do not exist. \`cairn doctor --repair\` removes these words.`;
  return [{ code: "index_mismatch", message, key: null }];
}

type Checked<T> = { readonly value: T } | { readonly defect: Defect };

/** Data that cannot be read is reported as a defect and does not end the check. */
async function orDefect<T>(backend: Backend, key: ConversationKey | null, work: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const message = backend.defectOf(error);
    if (message === null) throw error;
    return { defect: { code: "database_corrupt", message, key } };
  }
}
