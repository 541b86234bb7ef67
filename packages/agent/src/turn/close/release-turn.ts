/** Releases a turn from quarantine: sends its message again, as a new turn. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type EventBody, makeEvent } from "@cairn/timeline";

const PAGE = 1_000;

/** Throws `not_found` when no turn with this id is in quarantine. Releasing a turn twice sends its message once. */
export async function releaseTurn(
  store: ConversationStore,
  key: ConversationKey,
  turnId: string,
  now: number,
): Promise<void> {
  const message = await findMessage(store, key, turnId);
  if (message === null)
    throw new CairnError("not_found", `There is no quarantined turn ${turnId} in conversation ${key.conversation}.`);
  const ts = new Date(now).toISOString();
  const { turn_id: _, ...again } = message;
  await store.append(key, [
    makeEvent("input.received", { ...again, key: `again-${turnId}`, mode: "turn", ts }),
    makeEvent("turn.released", { key: `released-${turnId}`, turn_id: turnId, ts }),
  ]);
}

async function findMessage(
  store: ConversationStore,
  key: ConversationKey,
  turnId: string,
): Promise<EventBody<"input.received"> | null> {
  const received = new Map<string, EventBody<"input.received">>();
  let opening: string | null = null;
  let isQuarantined = false;
  for (let after = 0, count = PAGE; count === PAGE; ) {
    const events = await store.readEvents(key, { after, limit: PAGE });
    for (const { event } of events) {
      if ("unknown" in event) continue;
      if (event.kind === "input.received") received.set(event.body.key, event.body);
      if (event.kind === "input.promoted" && event.body.turn_id === turnId) opening ??= event.body.key;
      if (event.kind === "turn.closed" && event.body.turn_id === turnId)
        isQuarantined = event.body.exit === "quarantined";
    }
    count = events.length;
    after = events.at(-1)?.seq ?? after;
  }
  return isQuarantined && opening !== null ? (received.get(opening) ?? null) : null;
}
