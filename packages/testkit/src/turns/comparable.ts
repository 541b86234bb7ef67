/**
 * The content of a conversation, for comparing two runs of one script: blocks with their overlays and the pool, as they
 * are stored, with ids numbered in the order they appear, without times and without the conversation's name in addresses.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";

const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const TOUCHED = /"cache_last_touch_at":[\d.]+/g;
const IDS = /(turn|tc|plan)_([0-9a-f]+)/g;

export async function comparable(store: ConversationStore, key: ConversationKey): Promise<unknown> {
  const kinds = ["conv.timeline.v1", "conv:sources_pool"];
  const found = await store.recent(key, { kinds, limit: kinds.length });
  const payloads = found.map(({ kind, payload }) => ({ kind, payload })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  const numbers = new Map<string, string>();
  // Plans are named after their calls, so their names are replaced too.
  const number = (_: string, kind: string, id: string) => {
    const known = numbers.get(id) ?? String(numbers.size + 1);
    numbers.set(id, known);
    return `${kind}_#${known}`;
  };
  const text = JSON.stringify(payloads)
    .replace(TIMES, "time")
    .replace(TOUCHED, '"cache_last_touch_at":0')
    .replaceAll(`/${key.user}/${key.conversation}/`, "/user/conversation/")
    .replaceAll(`:${key.user}:${key.conversation}:`, ":user:conversation:");
  return JSON.parse(text.replace(IDS, number));
}
