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

/** Stores a title. When this resolves, the title is stored. */
export async function giveTitle({ store, now }: TitleParts, key: ConversationKey, title: string): Promise<void> {
  await adoptEarlierTitle({ store, now }, key);
  await store.append(key, [titleGiven(randomUUID(), title, now())]);
}

/** Writes a title that an earlier version stored as an artifact to the journal, once for each artifact. */
export async function adoptEarlierTitle({ store, now }: TitleParts, key: ConversationKey): Promise<void> {
  const left = await earlierTitle(store, key);
  if (left !== null) await store.append(key, [titleGiven(left.id, left.title, now())]);
}

export function titleGiven(key: string, title: string, now: number) {
  return makeEvent("title.given", { key, title, ts: new Date(now).toISOString() });
}
