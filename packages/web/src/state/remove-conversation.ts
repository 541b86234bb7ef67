/**
 * Deletes a conversation, or one version of it, after 15 seconds in which the user can undo it. Until then, the page
 * only hides it. If the page is closed before, it is deleted at once.
 */
import { deleteConversation } from "../api/client.ts";
import { navigate } from "../route/location.ts";
import { appStore, closeToast, offer, tell } from "./app-state.ts";
import { reasonOf, refreshList } from "./conversation-list.ts";
import { keepDraft } from "./drafts.ts";
import { forgetAllUnsent } from "./outbox.ts";

/** Time in which a deletion can be undone. */
const UNDO_MS = 15_000;
const waiting = new Map<string, () => void>();

/** `instead` is the version that the page shows afterwards; null to delete all versions. */
export function remove(id: string, instead: string | null = null): void {
  if (waiting.has(id)) return;
  const isOpen = appStore.get().session?.id === id;
  hide(id, true);
  if (isOpen) navigate(instead === null ? { page: "new" } : { page: "chat", conversationId: instead });
  const toast = offer(instead === null ? "The conversation was deleted." : "The version was deleted.", {
    label: "Undo",
    run: () => {
      settle();
      hide(id, false);
      if (isOpen) navigate({ page: "chat", conversationId: id });
    },
  });
  const settle = () => {
    clearTimeout(timer);
    waiting.delete(id);
    closeToast(toast);
  };
  const now = () => {
    settle();
    void deleteNow(id, instead === null ? "all" : "this");
  };
  const timer = setTimeout(now, UNDO_MS);
  waiting.set(id, now);
}

async function deleteNow(id: string, versions: "all" | "this"): Promise<void> {
  try {
    await deleteConversation(id, versions);
    keepDraft(id, "");
    forgetAllUnsent(id);
    await refreshList();
  } catch (error) {
    hide(id, false);
    tell("problem", `The conversation was not deleted: ${reasonOf(error)}`);
  }
}

function hide(id: string, isHidden: boolean): void {
  appStore.update((state) => {
    const removed = new Set(state.removed);
    if (isHidden) removed.add(id);
    else removed.delete(id);
    return { ...state, removed };
  });
}

globalThis.addEventListener?.("pagehide", () => {
  for (const now of [...waiting.values()]) now();
});
