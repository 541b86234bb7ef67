/** The list of conversations: loaded by search, extended by scrolling, refreshed on changes. */
import type { ListedConversation } from "@cairn/api";
import { ApiError } from "../api/api-error.ts";
import { listConversations, renameConversation } from "../api/client.ts";
import { appStore, type ConversationList, tell } from "./app-state.ts";
import { endedTurns, isBusy, notify } from "./seen.ts";

const PAGE = 40;
let asked = 0;

export async function searchConversations(query: string): Promise<void> {
  appStore.update((state) => ({ ...state, list: { ...state.list, query, phase: "loading" } }));
  await load(query);
}

/** Reloads the beginning of the list in the background. */
export async function refreshList(): Promise<void> {
  await load(appStore.get().list.query);
}

export async function loadMoreConversations(): Promise<void> {
  const { query, nextCursor } = appStore.get().list;
  if (nextCursor === null) return;
  const turn = ++asked;
  try {
    const page = await listConversations({ ...(query === "" ? {} : { q: query }), cursor: nextCursor, limit: PAGE });
    if (turn !== asked) return;
    appStore.update(({ list, ...state }) => {
      const known = new Set(list.items.map(({ conversation_id }) => conversation_id));
      const added = page.conversations.filter(({ conversation_id }) => !known.has(conversation_id));
      return { ...state, list: { ...list, items: [...list.items, ...added], nextCursor: page.next_cursor } };
    });
  } catch (error) {
    tell("problem", reasonOf(error));
  }
}

/** The answer of an outdated request is dropped. */
async function load(query: string): Promise<void> {
  const turn = ++asked;
  try {
    const page = await listConversations({ ...(query === "" ? {} : { q: query }), limit: PAGE });
    if (turn !== asked) return;
    for (const ended of endedTurns(appStore.get().list.items, page.conversations)) notify(ended);
    appStore.update((state) => ({ ...state, list: withFirstPage(state.list, query, page) }));
    lookAgain(page.conversations);
  } catch {
    // The list shows the error and offers a retry.
    if (turn !== asked) return;
    appStore.update((state) => ({ ...state, list: { ...state.list, phase: "failed" } }));
    lookAgain(appStore.get().list.items);
  }
}

/** Interval for reading the list while a conversation works that is not open. The open one reports its own changes. */
const LOOK_MS = 5_000;
let timer: ReturnType<typeof setTimeout> | undefined;

function lookAgain(items: readonly ListedConversation[]): void {
  clearTimeout(timer);
  const open = appStore.get().session?.id;
  if (items.some((item) => isBusy(item) && item.conversation_id !== open)) timer = setTimeout(refreshList, LOOK_MS);
}

type ConversationPage = Awaited<ReturnType<typeof listConversations>>;

/** The list with a new beginning. Entries that were loaded after the beginning stay. */
function withFirstPage(list: ConversationList, query: string, page: ConversationPage): ConversationList {
  const { conversations, next_cursor: cursor } = page;
  const last = conversations.at(-1)?.last_activity_at ?? "";
  const known = new Set(conversations.map(({ conversation_id }) => conversation_id));
  const isLonger = list.query === query && cursor !== null && list.items.length > conversations.length;
  const older = isLonger
    ? list.items.filter((item) => !known.has(item.conversation_id) && item.last_activity_at <= last)
    : [];
  return {
    query,
    items: [...conversations, ...older],
    nextCursor: older.length > 0 ? list.nextCursor : cursor,
    phase: "ready",
  };
}

export async function rename(id: string, title: string): Promise<void> {
  try {
    const renamed = await renameConversation(id, title);
    appStore.update((state) => ({
      ...state,
      session:
        state.session?.id === id
          ? { ...state.session, view: { ...state.session.view, title: renamed.title } }
          : state.session,
    }));
    await refreshList();
  } catch (error) {
    tell("problem", reasonOf(error));
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof ApiError || error instanceof Error ? error.message : String(error);
}
