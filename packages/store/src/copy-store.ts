/**
 * Copies a store to another, whatever back ends they have, or what one tenant has in it: each conversation as its export
 * file, which the target checks byte by byte, and what users have spent, so that a budget does not begin anew.
 *
 * May be run again after it was cut short, wherever that was: a conversation is in the target whole or not at all, and
 * what is there already is not copied twice.
 */
import { CairnError } from "@cairn/timeline";
import type { CallOptions } from "./contract/call-options.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import { storeError } from "./contract/errors.ts";
import type { ConversationKey } from "./contract/scope.ts";
import type { SpentMinute, StoreMaintenance } from "./contract/store-maintenance.ts";

export interface CopyOptions extends CallOptions {
  /** Nobody else's. */
  readonly tenant?: string;
  /** After each conversation, copied or there already. */
  readonly onConversation?: (key: ConversationKey, outcome: CopyOutcome) => void;
}

/** `there`: the target has it in the same state already. `gone`: it was deleted while the copy ran. */
export type CopyOutcome = "copied" | "there" | "gone";

export interface CopyReport {
  readonly copied: number;
  readonly there: number;
  readonly gone: number;
}

type Store = ConversationStore & StoreMaintenance;

/** Minutes that are handed over at once. */
const PIECE = 500;

export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopyReport> {
  const { tenant } = options;
  const report = { copied: 0, there: 0, gone: 0 };
  // Spending first: whoever begins to work on the copy too early is held to the budget all the same.
  await copySpending(from, to, options);
  for await (const key of from.conversations(options)) {
    if (tenant !== undefined && key.tenant !== tenant) continue;
    const outcome = await copyOne(from, to, key, options);
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

async function copyOne(from: Store, to: Store, key: ConversationKey, { signal }: CallOptions): Promise<CopyOutcome> {
  const call = signal === undefined ? {} : { signal };
  try {
    await to.importConversation(key, from.exportConversation(key, call), { ...call, moves: true });
    return "copied";
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    if (error.code === "not_found") return "gone";
    if (error.code !== "conversation_exists") throw error;
    const [ours, theirs] = await Promise.all([from.getConversation(key, call), to.getConversation(key, call)]);
    if (ours.last_seq === theirs.last_seq) return "there";
    throw storeError(
      "conflict",
      `${key.conversation} has ${ours.last_seq} events here and ${theirs.last_seq} in the other store: one of them changed ` +
        "after the copy. Delete the copy that is out of date, then copy again.",
      { ...key },
    );
  }
}
