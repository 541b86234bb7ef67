/**
 * Makes a conversation from the messages of another system. It becomes an export file, which the store imports: all of
 * it or nothing, with the checks of every import.
 */
import { thisMachine, transcriptEvents } from "@cairn/agent";
import { type ConversationKey, type ConversationStore, composeExport } from "@cairn/store";
import type { CountTokens, JsonObject } from "@cairn/timeline";
import type { WriteRoom } from "../shares/write-room.ts";
import { type MessageFormat, readMessages } from "./message-format.ts";
import type { ImportLoss } from "./transcript-builder.ts";

export interface MessageImport {
  readonly key: ConversationKey;
  readonly format?: MessageFormat | undefined;
  readonly attributes?: JsonObject;
  readonly signal?: AbortSignal;
}

export interface ImportedMessages {
  readonly format: MessageFormat;
  readonly turns: number;
  readonly losses: readonly ImportLoss[];
}

export interface ImportParts {
  readonly store: Pick<ConversationStore, "importConversation">;
  readonly loadTokenizer: () => Promise<CountTokens>;
  readonly now: () => number;
  /** Absent on the command line, which has no limits. */
  readonly room?: Pick<WriteRoom, "reserve">;
}

export async function importMessages(
  { store, loadTokenizer, now, room }: ImportParts,
  given: unknown,
  { key, format: asked, attributes = {}, signal }: MessageImport,
): Promise<ImportedMessages> {
  const { format, transcript, losses } = readMessages(given, asked);
  const { ids } = thisMachine();
  const options = { key, ids, now, countTokens: await loadTokenizer(), signal };
  const { events, blobs } = await transcriptEvents(transcript, options);
  const lines = composeExport({ at: now(), attributes, events, blobs });
  const file = room === undefined ? lines : reserving(lines, (bytes) => room.reserve(key, bytes));
  await store.importConversation(key, file, signal === undefined ? {} : { signal });
  return { format, turns: transcript.turns.length, losses };
}

/** Storage is reserved in steps of this many bytes. */
const RESERVE_EVERY = 1_000_000;

async function* reserving(lines: Iterable<Uint8Array>, reserve: (bytes: number) => Promise<void>) {
  let reserved = 0;
  let size = 0;
  for (const line of lines) {
    size += line.length;
    if (size > reserved) {
      await reserve(RESERVE_EVERY);
      reserved += RESERVE_EVERY;
    }
    yield line;
  }
}
