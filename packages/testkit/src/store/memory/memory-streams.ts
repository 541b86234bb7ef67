/** How the reference store adds to an open stream. */
import { type ConversationStore, storeError } from "@cairn/store";
import { checkToken } from "./memory-append.ts";
import { checkRange } from "./memory-arguments.ts";
import type { MemoryConversation } from "./memory-data.ts";

const MAX_STREAM_CHARS = 4 * 1024 * 1024;

export function writeStream(
  conversation: MemoryConversation,
  given: Parameters<ConversationStore["appendStream"]>[1],
): void {
  checkToken(conversation, given.token);
  checkRange("offset", given.offset, 0, Number.MAX_SAFE_INTEGER);
  const before = conversation.streams.get(given.stream) ?? "";
  if (given.offset > before.length) throw storeError("conflict", `The stream holds ${before.length} characters.`);
  const text = before.slice(0, given.offset) + given.text;
  if (text.length > MAX_STREAM_CHARS) throw storeError("too_large", "A stream holds at most 4 MB.");
  conversation.streams.set(given.stream, text);
}
