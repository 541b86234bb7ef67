/**
 * Messages that the server has not accepted yet, stored in the browser for each conversation, so that leaving the
 * conversation or the page loses none. Each message keeps its key, so that the server accepts it only once. Files are
 * not stored, so the user must attach them again.
 */
import { modeSchema, sentPromptSchema } from "@cairn/api";
import { reasoningSchema } from "@cairn/timeline";
import { z } from "zod";
import type { Outgoing } from "./session.ts";

const PREFIX = "cairn.unsent.";

const unsent = z.object({
  key: z.string(),
  mode: modeSchema,
  model: z.string().nullable().catch(null),
  reasoning: reasoningSchema.nullable().catch(null),
  message: z.string(),
  prompt: sentPromptSchema.nullable().catch(null),
  files: z.number(),
  problem: z.string().nullable(),
});
const unsentList = z.array(unsent).catch([]);

export type Unsent = z.infer<typeof unsent>;

export function readUnsent(conversationId: string): readonly Unsent[] {
  try {
    return unsentList.parse(JSON.parse(localStorage.getItem(PREFIX + conversationId) ?? "[]"));
  } catch {
    return []; // Storage is disabled, or contains something else.
  }
}

export function keepUnsent(conversationId: string, outgoing: Outgoing): void {
  const { key, mode, model, reasoning, message, prompt, files, problem } = outgoing;
  const others = readUnsent(conversationId).filter((each) => each.key !== key);
  write(conversationId, [...others, { key, mode, model, reasoning, message, prompt, files: files.length, problem }]);
}

export function forgetUnsent(conversationId: string, key: string): void {
  write(
    conversationId,
    readUnsent(conversationId).filter((each) => each.key !== key),
  );
}

/** Removes the unsent messages of a deleted conversation. */
export function forgetAllUnsent(conversationId: string): void {
  write(conversationId, []);
}

function write(conversationId: string, list: readonly Unsent[]): void {
  try {
    if (list.length === 0) localStorage.removeItem(PREFIX + conversationId);
    else localStorage.setItem(PREFIX + conversationId, JSON.stringify(list));
  } catch {
    // Storage is full or disabled, so the message lasts only as long as the page.
  }
}
