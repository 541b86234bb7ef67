/**
 * The model or agent that a message asks for. It is stored beside the journal under the turn's id, so that a turn
 * continued here or in another process runs as it began.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";

const KIND = "turn.choice";

export interface TurnChoice {
  readonly model: string | null;
  readonly agent: string | null;
}

const NOTHING_CHOSEN: TurnChoice = { model: null, agent: null };

export async function keepChoice(
  store: ConversationStore,
  key: ConversationKey,
  turn_id: string,
  { model, agent }: TurnChoice,
): Promise<void> {
  if (model === null && agent === null) return;
  await store.saveArtifact(key, { kind: KIND, turn_id, payload: { model, agent } });
}

/** The choice for the next turn: the open one, or that of the first waiting message. */
export async function nextChoice(store: ConversationStore, key: ConversationKey): Promise<TurnChoice> {
  const [any] = await store.recent(key, { kinds: [KIND], limit: 1 });
  if (any === undefined) return NOTHING_CHOSEN;
  const { state } = await store.load(key);
  const [first] = state.pendingInputs.values();
  const turn_id = state.openTurn ?? first?.turn_id;
  if (typeof turn_id !== "string") return NOTHING_CHOSEN;
  const [kept] = await store.recent(key, { kinds: [KIND], turn_id, limit: 1 });
  const payload = kept?.payload;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return NOTHING_CHOSEN;
  const { model, agent } = payload as Readonly<Record<string, unknown>>;
  return { model: typeof model === "string" ? model : null, agent: typeof agent === "string" ? agent : null };
}
