/** Titles that people give. A title is an input of the journal, so it needs no lease and waits for no turn. */
import { randomUUID } from "node:crypto";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { earlierTitle } from "./earlier-artifacts.ts";

interface TitleParts {
  readonly store: ConversationStore;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
}

/** Stores a title. It is durable when this resolves. */
export async function giveTitle({ store, now }: TitleParts, key: ConversationKey, title: string): Promise<void> {
  await adoptEarlierTitle({ store, now }, key);
  await store.append(key, [titleGiven(randomUUID(), title, now())]);
}

/** Writes a title to the journal that an earlier version left beside it. The artifact's id makes it happen once. */
export async function adoptEarlierTitle({ store, now }: TitleParts, key: ConversationKey): Promise<void> {
  const left = await earlierTitle(store, key);
  if (left !== null) await store.append(key, [titleGiven(left.id, left.title, now())]);
}

export function titleGiven(key: string, title: string, now: number) {
  return makeEvent("title.given", { key, title, ts: new Date(now).toISOString() });
}
