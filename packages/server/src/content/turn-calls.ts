/** The calls of a turn with the times of their start and end, from the journal. */
import type { RecordedRequest } from "@cairn/agent";
import type { TurnCall } from "@cairn/api";
import type { ConversationKey, ConversationStore } from "@cairn/store";

const PAGE = 500;

/** `first` is the first request of the turn, after which its calls come. */
export async function readTurnCalls(
  store: ConversationStore,
  key: ConversationKey,
  { seq, turnId }: RecordedRequest,
): Promise<readonly TurnCall[]> {
  const calls = new Map<string, TurnCall>();
  for (let after = seq; turnId !== null; ) {
    const events = await store.readEvents(key, { after, limit: PAGE });
    for (const stored of events) {
      after = stored.seq;
      if ("unknown" in stored.event) continue;
      const { kind, body } = stored.event;
      if (kind === "turn.closed" && body.turn_id === turnId) return [...calls.values()];
      // If a call is run again after a restart, its first start counts.
      if (kind === "call.started" && body.turn_id === turnId && !calls.has(body.call_id)) {
        const { call_id, tool_id, ts } = body;
        calls.set(call_id, { call_id, tool_id, started_at: ts, settled_at: null, outcome: null });
      }
      const call = kind === "call.settled" ? calls.get(body.call_id) : undefined;
      if (kind === "call.settled" && call !== undefined)
        calls.set(call.call_id, { ...call, settled_at: body.ts, outcome: body.outcome });
    }
    if (events.length < PAGE) break;
  }
  return [...calls.values()];
}
