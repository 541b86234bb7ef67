/** The turns of a conversation as its store keeps them, for tools that look back. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { PastTurn } from "./tool.ts";

const PAGE = 1_000;
const EXCERPT_CHARS = 500;

export async function listPastTurns(
  store: ConversationStore,
  key: ConversationKey,
  signal?: AbortSignal,
): Promise<PastTurn[]> {
  const turns: PastTurn[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ConversationStore["turns"]>> = await store.turns(key, {
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const { turn_id, opened_at, view } of page.items)
      turns.push({
        turn_id,
        opened_at,
        prompt: excerpt(view.prompt?.text),
        completion: excerpt(view.completion?.text),
      });
    cursor = page.next;
  } while (cursor !== null);
  return turns;
}

function excerpt(text = ""): string {
  return text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS).toWellFormed()}…` : text;
}
