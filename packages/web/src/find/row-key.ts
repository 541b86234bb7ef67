/** The key of the row that shows a search hit: the prompt of a turn, or its answer. */
export function rowKeyOf(found: { readonly turn_id: string | null; readonly type: string }): string | null {
  if (found.turn_id === null) return null;
  if (found.type === "user.prompt") return `${found.turn_id} prompt`;
  return found.type === "assistant.completion" ? `${found.turn_id} answer` : found.turn_id;
}
