/** What was typed and not sent, kept in the browser for each conversation, so that a crash or a reload loses nothing. */
const PREFIX = "cairn.draft.";

/** `null` is the draft of the next new conversation. */
export function readDraft(conversationId: string | null): string {
  try {
    return localStorage.getItem(keyOf(conversationId)) ?? "";
  } catch {
    return ""; // Storage is switched off: there are no drafts then.
  }
}

export function keepDraft(conversationId: string | null, text: string): void {
  try {
    if (text === "") localStorage.removeItem(keyOf(conversationId));
    else localStorage.setItem(keyOf(conversationId), text);
  } catch {
    // Storage is full or switched off: the text stays in the page.
  }
}

function keyOf(conversationId: string | null): string {
  return `${PREFIX}${conversationId ?? "new"}`;
}
