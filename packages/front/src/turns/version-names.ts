/**
 * Names that people give to versions of turns. No model sees them, so they are stored as artifacts and not in the
 * journal. A branch inherits the names of the turns that it shares.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, isJsonObject } from "@cairn/timeline";

export interface VersionName {
  /** Number of the turn. */
  readonly turn: number;
  readonly name: string;
}

const KIND = "version.name";
/** Maximum number of names that are read. */
const MAX_NAMES = 1_000;

/** Names the conversation's version of a turn. An empty name removes the name. */
export async function nameVersion(
  store: ConversationStore,
  key: ConversationKey,
  { turn, name }: VersionName,
): Promise<void> {
  const { turns } = await store.getConversation(key);
  if (turn > turns)
    throw new CairnError("not_found", `The conversation has ${turns} turns, and no turn ${turn}.`, { turn });
  await store.saveArtifact(key, { kind: KIND, payload: { turn, name } });
}

/** The names of the conversation's versions, by turn. */
export async function versionNames(store: ConversationStore, key: ConversationKey): Promise<readonly VersionName[]> {
  const names = new Map<number, string>();
  for (const { payload } of await store.recent(key, { kinds: [KIND], limit: MAX_NAMES })) {
    if (!isJsonObject(payload)) continue;
    const { turn, name } = payload;
    // The newest names come first, so only the first name of each turn is used.
    if (typeof turn === "number" && typeof name === "string" && !names.has(turn)) names.set(turn, name);
  }
  return [...names]
    .map(([turn, name]) => ({ turn, name }))
    .filter(({ name }) => name !== "")
    .sort((left, right) => left.turn - right.turn);
}
