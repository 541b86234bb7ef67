/** The seq up to which the user has seen each conversation, stored in the browser, and notifications about changes. */
import type { ListedConversation } from "@cairn/api";
import { navigate } from "../route/location.ts";
import { createStore, useStore } from "./store.ts";

const KEY = "cairn.seen";
/** Entries of the longest unseen conversations are dropped first. */
const MAX_KEPT = 500;
const store = createStore<Readonly<Record<string, number>>>(read());

export function noteSeen(id: string, seq: number): void {
  const seen = store.get();
  if ((seen[id] ?? -1) >= seq) return;
  const { [id]: _, ...others } = seen;
  const kept = Object.fromEntries([...Object.entries(others), [id, seq] as const].slice(-MAX_KEPT));
  store.update(() => kept);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or disabled, so this lasts only as long as the page.
  }
}

/** Whether a turn ended or asked something since the user last looked at the conversation. */
export function useIsUnread({ conversation_id, last_seq, status }: ListedConversation): boolean {
  const seen = useStore(store, (value) => value[conversation_id]);
  return seen !== undefined && last_seq > seen && (status === "idle" || status === "waiting");
}

/** The conversations in which a turn ended or asked something between two versions of the list. */
export function endedTurns(
  before: readonly ListedConversation[],
  after: readonly ListedConversation[],
): readonly ListedConversation[] {
  const busy = new Set(before.filter(isBusy).map(({ conversation_id }) => conversation_id));
  return after.filter((each) => busy.has(each.conversation_id) && !isBusy(each));
}

export function isBusy({ status }: ListedConversation): boolean {
  return status === "running" || status === "queued";
}

/** Notifies while the page is hidden, if the user allowed it. */
export function notify({ conversation_id, title, status }: ListedConversation): void {
  if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
  const body = status === "waiting" ? "The agent asks for your approval." : "The answer is ready.";
  const notification = new Notification(title ?? "Cairn", { body, tag: "cairn" });
  notification.onclick = () => {
    globalThis.focus();
    notification.close();
    navigate({ page: "chat", conversationId: conversation_id });
  };
}

function read(): Readonly<Record<string, number>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Readonly<Record<string, number>>) : {};
  } catch {
    return {}; // Storage is disabled, or contains something else.
  }
}
