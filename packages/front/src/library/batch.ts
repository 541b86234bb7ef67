/**
 * Runs one conversation with one message for each item. The id of an item is also the id of its conversation and of its
 * message, so a repeated batch finds in the journals what was already done.
 */
import { CairnError } from "@cairn/timeline";
import type { z } from "zod";
import { checkOptions, type OptionKinds } from "../define/check-options.ts";
import type { Attachment } from "./attachments.ts";
import { CONVERSATION_OPTIONS, type Conversation, type ConversationOptions } from "./conversation.ts";
import type { Run, RunResult } from "./run.ts";

export interface BatchOptions<T, O = undefined> extends ConversationOptions {
  /** The id of an item. It must be the same each time the batch is started, and different for each item. */
  readonly id: (item: T) => string;
  /** The message for an item; default: the item itself if it is a string, otherwise its JSON. */
  readonly prompt?: (item: T) => string;
  readonly files?: (item: T) => readonly Attachment[];
  /** How many conversations run at once; default 8. */
  readonly concurrency?: number;
  /** A schema. Each result has a value that matches it. */
  readonly output?: z.ZodType<O>;
}

const OPTIONS: OptionKinds<BatchOptions<unknown, unknown>> = {
  ...CONVERSATION_OPTIONS,
  id: "function",
  prompt: "function",
  files: "function",
  concurrency: "number",
  output: "any",
};

export type BatchResult<T, O = undefined> = {
  readonly id: string;
  readonly item: T;
} & (
  | ({ readonly ok: true } & RunResult<O>)
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
);

export async function runBatch<T, O>(
  items: Iterable<T> | AsyncIterable<T>,
  options: BatchOptions<T, O>,
  open: (id: string) => Conversation,
): Promise<readonly BatchResult<T, O>[]> {
  checkOptions(options, OPTIONS, "`batch`");
  const { id: idOf, concurrency = 8 } = options;
  if (typeof idOf !== "function")
    throw new CairnError("bad_request", "`id` must be a function that returns the id of an item.", { field: "id" });
  if (!(Number.isInteger(concurrency) && concurrency > 0))
    throw new CairnError("bad_request", "`concurrency` must be a whole number above 0.", { field: "concurrency" });
  const results: BatchResult<T, O>[] = [];
  const seen = new Set<string>();
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const id: unknown = idOf(item);
      if (typeof id !== "string")
        throw new CairnError("bad_request", `\`id\` must return a string, not ${JSON.stringify(id)}.`, { field: "id" });
      if (seen.has(id))
        throw new CairnError("bad_request", `Two items have the id ${JSON.stringify(id)}.`, { field: "id" });
      seen.add(id);
      const at = seen.size - 1;
      const work = runItem(open(id), item, id, options).then((result) => {
        results[at] = result;
        running.delete(work);
      });
      // An item may fail while the loop waits for another one. The error stays in `running` and is thrown later.
      work.catch(() => undefined);
      running.add(work);
      if (running.size >= concurrency) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    // After an error, no turn of the batch continues in the background.
    await Promise.allSettled(running);
  }
  return results;
}

async function runItem<T, O>(
  conversation: Conversation,
  item: T,
  id: string,
  { prompt = promptOf, files, output }: BatchOptions<T, O>,
): Promise<BatchResult<T, O>> {
  try {
    const options = { id, ...(files === undefined ? {} : { files: files(item) }) };
    const sent =
      output === undefined
        ? conversation.send(prompt(item), options)
        : conversation.send(prompt(item), { ...options, output });
    // Copying the result reads its output, which throws if there is none.
    return { id, item, ok: true, ...(await (await (sent as Promise<Run<O>>)).result) };
  } catch (error) {
    // The turn ended with an error, or its message was rejected. The other items continue.
    if (!CairnError.is(error) || error.code === "closed" || error.code === "draining") throw error;
    const message = error.code === "idempotency_conflict" ? conflictOf(id) : error.message;
    return { id, item, ok: false, error: { code: error.code, message } };
  }
}

/** Words the conflict for `batch`, whose caller knows item ids and no idempotency keys. */
function conflictOf(id: string): string {
  return `The item ${JSON.stringify(id)} was sent before with a different message, or its message was withdrawn. Give the item a new id to send it again.`;
}

function promptOf(item: unknown): string {
  return typeof item === "string" ? item : JSON.stringify(item);
}
