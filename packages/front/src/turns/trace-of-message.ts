/** The HTTP request that sent the message of a turn, so that the trace of the turn can name it. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { nullIfNotFound } from "@cairn/timeline";
import { findTurn } from "./find-turn.ts";

/** The `traceparent` of the message's request; null if the message was stored without one. */
export async function traceOfMessage(
  store: ConversationStore,
  key: ConversationKey,
  turnId: string,
): Promise<string | null> {
  const { state } = await store.loadOutline(key);
  const waiting = [...state.pendingInputs.values()].find(({ turn_id }) => turn_id === turnId);
  const { traceparent } = waiting ?? (await messageOf(store, key, turnId));
  return typeof traceparent === "string" ? traceparent : null;
}

/** The message of a turn that is open already. */
async function messageOf(
  store: ConversationStore,
  key: ConversationKey,
  turnId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const turn = await findTurn(store, key, turnId).catch(nullIfNotFound);
  if (turn === null || turn.message === null) return {};
  const event = (await store.readEvents(key, { after: turn.message - 1, limit: 1 }))[0]?.event;
  return event !== undefined && !("unknown" in event) && event.kind === "input.received" ? event.body : {};
}
