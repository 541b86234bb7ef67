/**
 * Reads data that earlier versions stored in artifacts, because the journal had no event for it: the model and agent of
 * a turn, and a title that a person gave while a turn was running. This data is still read, and no longer written.
 */
import type { ConversationKey, ConversationStore, StoredArtifact } from "@cairn/store";
import { isJsonObject, type TurnChoice } from "@cairn/timeline";

/** The agent and model that the message of a turn asked for, if an earlier version received it. */
export async function earlierChoice(
  store: ConversationStore,
  key: ConversationKey,
  turn_id: string,
): Promise<TurnChoice> {
  const [kept] = await store.recent(key, { kinds: ["turn.choice"], turn_id, limit: 1 });
  const agent = textIn(kept, "agent");
  const model = textIn(kept, "model");
  return { ...(agent === null ? {} : { agent }), ...(model === null ? {} : { model }) };
}

/** The title in an artifact that is not in the journal yet, with the id of the artifact; null for none. */
export async function earlierTitle(store: ConversationStore, key: ConversationKey) {
  const [wanted] = await store.recent(key, { kinds: ["title.wanted"], limit: 1 });
  const title = textIn(wanted, "title");
  if (wanted === undefined || title === null) return null;
  const [landed] = await store.recent(key, { kinds: ["title.landed"], limit: 1 });
  return textIn(landed, "wanted") === wanted.id ? null : { id: wanted.id, title };
}

function textIn(artifact: StoredArtifact | undefined, name: string): string | null {
  const payload: unknown = artifact?.payload;
  const value = isJsonObject(payload) ? payload[name] : undefined;
  return typeof value === "string" ? value : null;
}
