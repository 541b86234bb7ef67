/**
 * Copies conversations from one store to another, whatever back ends they have: each as its export file, which the
 * target checks byte by byte. What a scope has spent is not part of a conversation and stays behind.
 */
import { CairnError } from "@cairn/timeline";
import type { CallOptions } from "./contract/call-options.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { ConversationKey } from "./contract/scope.ts";
import type { StoreMaintenance } from "./contract/store-maintenance.ts";

export interface CopyOptions extends CallOptions {
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

/** May be run again after it was cut short: what is there already is not copied twice. */
export async function copyConversations(
  from: ConversationStore & StoreMaintenance,
  to: ConversationStore,
  options: CopyOptions = {},
): Promise<CopyReport> {
  const report = { copied: 0, there: 0, gone: 0 };
  for await (const key of from.conversations(options)) {
    const outcome = await copyOne(from, to, key, options);
    report[outcome]++;
    options.onConversation?.(key, outcome);
  }
  return report;
}

async function copyOne(
  from: ConversationStore,
  to: ConversationStore,
  key: ConversationKey,
  { signal }: CallOptions,
): Promise<CopyOutcome> {
  const call = signal === undefined ? {} : { signal };
  try {
    await to.importConversation(key, from.exportConversation(key, call), call);
    return "copied";
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    if (error.code === "not_found") return "gone";
    if (error.code !== "conversation_exists") throw error;
    const [ours, theirs] = await Promise.all([from.getConversation(key, call), to.getConversation(key, call)]);
    if (ours.last_seq !== theirs.last_seq) throw error;
    return "there";
  }
}
