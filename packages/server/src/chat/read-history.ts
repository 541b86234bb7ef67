/** The last turns of a conversation as the AI SDK's messages. Each answer equals the message that its stream makes. */
import type { HistoryMessage } from "@cairn/api";
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import type { SourceRow, TurnView } from "@cairn/timeline";
import { readPage } from "cairn-agent/turns";
import { MAX_PAGE_BYTES } from "../http/view-room.ts";
import { type ChatPlace, chatFile } from "./chat-file.ts";
import { foldMessage } from "./fold-message.ts";
import { TurnWriter } from "./turn-writer.ts";

interface Parts {
  readonly store: ConversationStore;
  readonly prefix: string;
}

/** In the journal, keys of messages from an AI SDK client contain the client's id. Other versions have a suffix. */
const CHAT_KEY = /^chat-(.+?)(?:~[0-9a-f-]{36})?$/;

interface History {
  readonly messages: readonly HistoryMessage[];
  /** The number of the first turn if there are earlier ones; null if there are none. */
  readonly before: number | null;
}

/** Without `before`, the messages that wait come after the last turns. */
export async function readHistory(
  { store, prefix }: Parts,
  key: ConversationKey,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<History> {
  const from = before === undefined ? {} : { before };
  const { view, events, pool } = await readPage(store, key, { limit, maxBytes: MAX_PAGE_BYTES, ...from });
  const place: ChatPlace = { conversation: key.conversation, prefix };
  const sources = [...pool.rows()];
  const shown = view.turns.flatMap((turn, index) => {
    const from = events.findIndex(({ seq }) => seq >= turn.opened_seq);
    const next = view.turns[index + 1]?.opened_seq ?? Number.POSITIVE_INFINITY;
    const own = from < 0 ? [] : events.slice(from).filter(({ seq }) => seq < next);
    const answer = answerOf(place, turn, own, sources);
    return [questionOf(place, turn, own), ...(answer === null ? [] : [answer])];
  });
  const pending = before === undefined ? view.pending : [];
  const waiting = pending.map(({ key: id, message }) => ({
    id: id.replace(CHAT_KEY, "$1"),
    role: "user" as const,
    parts: [{ type: "text" as const, text: message }],
  }));
  return { messages: [...shown, ...waiting], before: view.has_more ? (view.turns[0]?.n ?? null) : null };
}

function questionOf(place: ChatPlace, turn: TurnView, events: readonly StoredEvent[]): HistoryMessage {
  const { turn_id, prompt, attachments } = turn;
  const promoted = events.find(
    ({ event }) => !("unknown" in event) && event.kind === "input.promoted" && event.body.turn_id === turn_id,
  )?.event;
  const key =
    promoted !== undefined && !("unknown" in promoted) && promoted.kind === "input.promoted" ? promoted.body.key : null;
  return {
    id: key?.replace(CHAT_KEY, "$1") ?? `${turn_id}.prompt`,
    role: "user",
    parts: [
      ...attachments.flatMap((file) => chatFile(place, file)),
      ...(prompt.text === "" ? [] : [{ type: "text" as const, text: prompt.text }]),
    ],
  };
}

function answerOf(
  place: ChatPlace,
  { turn_id: turnId }: TurnView,
  events: readonly StoredEvent[],
  sources: readonly SourceRow[],
): HistoryMessage | null {
  const writer = new TurnWriter({ ...place, turnId, sources });
  const chunks = [...writer.start(), ...events.flatMap((stored) => writer.take({ type: "event", stored }))];
  return foldMessage(turnId, chunks);
}
