/**
 * Many conversations of one message each. The ids of the items are the ids of the conversations and of their messages, so
 * a batch that is started again finds what it did before in the journals.
 */
import { CairnError } from "@cairn/timeline";
import type { Attachment } from "./attachments.ts";
import type { Conversation, ConversationOptions } from "./conversation.ts";
import type { RunResult } from "./run.ts";

export interface BatchOptions<T> extends ConversationOptions {
  /** The id of an item. It must be the same each time the batch is started, and belong to one item only. */
  readonly id: (item: T) => string;
  /** The message for an item; default: the item itself if it is a text, otherwise its JSON. */
  readonly prompt?: (item: T) => string;
  readonly files?: (item: T) => readonly Attachment[];
  /** How many conversations run at once; default 8. */
  readonly concurrency?: number;
}

export type BatchResult<T> = {
  readonly id: string;
  readonly item: T;
} & (
  | ({ readonly ok: true } & RunResult)
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
);

export async function runBatch<T>(
  items: Iterable<T> | AsyncIterable<T>,
  options: BatchOptions<T>,
  open: (id: string) => Conversation,
): Promise<readonly BatchResult<T>[]> {
  const { id: idOf, concurrency = 8 } = options;
  if (!(Number.isInteger(concurrency) && concurrency > 0))
    throw new CairnError("bad_request", "`concurrency` must be a whole number above 0.", { field: "concurrency" });
  const results: BatchResult<T>[] = [];
  const seen = new Set<string>();
  const running = new Set<Promise<void>>();
  for await (const item of items) {
    const id = idOf(item);
    if (seen.has(id))
      throw new CairnError("bad_request", `Two items have the id ${JSON.stringify(id)}.`, { field: "id" });
    seen.add(id);
    const at = seen.size - 1;
    const work = runItem(open(id), item, id, options).then((result) => {
      results[at] = result;
      running.delete(work);
    });
    running.add(work);
    if (running.size >= concurrency) await Promise.race(running);
  }
  await Promise.all(running);
  return results;
}

async function runItem<T>(
  conversation: Conversation,
  item: T,
  id: string,
  { prompt = promptOf, files }: BatchOptions<T>,
): Promise<BatchResult<T>> {
  try {
    const attached = files === undefined ? {} : { files: files(item) };
    const run = await conversation.send(prompt(item), { id, ...attached });
    return { id, item, ok: true, ...(await run.result) };
  } catch (error) {
    // The turn ended with an error, or its message was rejected: other items go on.
    if (!CairnError.is(error) || error.code === "closed") throw error;
    return { id, item, ok: false, error: { code: error.code, message: error.message } };
  }
}

function promptOf(item: unknown): string {
  return typeof item === "string" ? item : JSON.stringify(item);
}
