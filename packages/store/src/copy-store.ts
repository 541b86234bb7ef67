/**
 * Copies a store, or the data of one tenant, to another store with any back end: each conversation as its export file,
 * which the target checks byte by byte, the users' spending, so that budgets do not start again, and their secrets, which
 * only a program with the same key can read.
 *
 * The copy can be run again after an interruption: a tree of conversations is in the target completely or not at all,
 * and existing ones are not copied again.
 */
import { CairnError, nullIfNotFound } from "@cairn/timeline";
import type { CallOptions } from "./contract/call-options.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import { storeError } from "./contract/errors.ts";
import { type ConversationKey, scopeKey } from "./contract/scope.ts";
import type { SpentMinute, StoreMaintenance } from "./contract/store-maintenance.ts";

export interface CopyOptions extends CallOptions {
  /** The tenant to copy; absent for all tenants. */
  readonly tenant?: string;
  /** Called after each conversation, whether it was copied or already existed. */
  readonly onConversation?: (key: ConversationKey, outcome: CopyOutcome) => void;
}

/**
 * `there`: the target already has the conversation in the same state, or this run has copied its tree before, in the
 * state of that time. `gone`: the conversation was deleted during the copy.
 */
export type CopyOutcome = "copied" | "there" | "gone";

export interface CopyReport {
  readonly copied: number;
  readonly there: number;
  readonly gone: number;
}

type Store = ConversationStore & StoreMaintenance;

/** Number of minutes that are transferred at once. */
const PIECE = 500;

export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopyReport> {
  const { tenant } = options;
  const report = { copied: 0, there: 0, gone: 0 };
  const copiedTrees = new Set<string>();
  /** Copies a conversation with its whole tree, unless the tree was already copied. */
  async function copyOrFind(key: ConversationKey): Promise<CopyOutcome> {
    const [first = key] = (await from.branches(key, { limit: 1 }).catch(nullIfNotFound))?.items ?? [];
    const tree = scopeKey({ ...key, conversation: first.conversation });
    // A tree may grow after it was copied. Like every copy, that of a tree is complete as of the time when it was made.
    if (copiedTrees.has(tree)) return "there";
    if (first.conversation !== key.conversation) return lookAt(from, to, key, options);
    const outcome = await copyOne(from, to, key, options);
    if (outcome === "copied") copiedTrees.add(tree);
    return outcome;
  }
  // Spending is copied first, because a process that starts too early on the copy must see the used budget.
  await copySpending(from, to, options);
  await copySecrets(from, to, options);
  for await (const key of from.conversations(options)) {
    if (tenant !== undefined && key.tenant !== tenant) continue;
    const outcome = await copyOrFind(key);
    report[outcome]++;
    options.onConversation?.(key, outcome);
  }
  return report;
}

async function copySpending(from: Store, to: Store, { tenant, signal }: CopyOptions): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  let piece: SpentMinute[] = [];
  for await (const minute of from.spentMinutes(call)) {
    if (tenant !== undefined && minute.scope.tenant !== tenant) continue;
    if (piece.push(minute) < PIECE) continue;
    await to.keepSpentMinutes(piece, call);
    piece = [];
  }
  await to.keepSpentMinutes(piece, call);
}

/** Copies the secrets. A secret that the target already has may be newer, so it is kept. */
async function copySecrets(from: Store, to: Store, { tenant, signal }: CopyOptions): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  for await (const { scope, name, value } of from.secrets(call)) {
    if (tenant !== undefined && scope.tenant !== tenant) continue;
    if ((await to.readSecret(scope, name, call)) === null) await to.writeSecret(scope, name, value, call);
  }
}

async function copyOne(from: Store, to: Store, key: ConversationKey, { signal }: CallOptions): Promise<CopyOutcome> {
  const call = signal === undefined ? {} : { signal };
  try {
    await to.importConversation(key, from.exportConversation(key, call), { ...call, moves: true });
    return "copied";
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    // The export also throws `not_found` when a branch was deleted meanwhile. In that case only the tree has changed.
    if (error.code === "not_found" && (await from.getConversation(key, call).catch(nullIfNotFound)) === null)
      return "gone";
    if (error.code !== "conversation_exists") throw error;
    return lookAt(from, to, key, call);
  }
}

/** Whether the target has the conversation in the same state. */
async function lookAt(from: Store, to: Store, key: ConversationKey, { signal }: CallOptions): Promise<CopyOutcome> {
  const call = signal === undefined ? {} : { signal };
  const [ours, theirs] = await Promise.all([
    from.getConversation(key, call).catch(nullIfNotFound),
    to.getConversation(key, call).catch(nullIfNotFound),
  ]);
  if (ours === null) return "gone";
  if (theirs === null)
    throw storeError(
      "conflict",
      `The other store has the tree of ${key.conversation} without this branch: the tree grew after the copy. Delete the ` +
        "tree in the other store, then copy again.",
      { ...key },
    );
  if (ours.last_seq === theirs.last_seq) return "there";
  throw storeError(
    "conflict",
    `${key.conversation} has ${ours.last_seq} events here and ${theirs.last_seq} in the other store: one of them changed ` +
      "after the copy. Delete the conversation in the store whose version is out of date, then copy again.",
    { ...key },
  );
}
