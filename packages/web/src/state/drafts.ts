/** Unsent text, stored in the browser for each conversation, so that a crash or a reload loses nothing. */
const PREFIX = "cairn.draft.";

/** The key `null` is for the draft of the next new conversation. */
export function readDraft(conversationId: string | null): string {
  try {
    return localStorage.getItem(keyOf(conversationId)) ?? "";
  } catch {
    return ""; // Storage is disabled, so there are no drafts.
  }
}

export function keepDraft(conversationId: string | null, text: string): void {
  try {
    if (text === "") localStorage.removeItem(keyOf(conversationId));
    else localStorage.setItem(keyOf(conversationId), text);
  } catch {
    // Storage is full or disabled, so the text stays only in the page.
  }
}

function keyOf(conversationId: string | null): string {
  return `${PREFIX}${conversationId ?? "new"}`;
}
