/**
 * Makes a conversation from the messages of another system. The messages become an export file, which the store imports
 * completely or not at all, with the usual checks.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { thisMachine, transcriptEvents } from "@cairn/agent";
import { type ConversationKey, type ConversationStore, composeExport } from "@cairn/store";
import type { CountTokens, JsonObject } from "@cairn/timeline";
import type { WriteRoom } from "../shares/write-room.ts";
import { checkTranscript, type TranscriptLimits } from "./check-transcript.ts";
import { type MessageFormat, readMessages } from "./message-format.ts";
import type { ImportLoss } from "./transcript-builder.ts";

export interface MessageImport {
  readonly key: ConversationKey;
  readonly format?: MessageFormat | undefined;
  readonly attributes?: JsonObject;
  readonly signal?: AbortSignal;
  /** The limits of the import. The command line and the library have none. */
  readonly limits?: TranscriptLimits;
  readonly maxLineBytes?: number;
  /** Awaited between steps. The default lets other work of the process run. */
  readonly pause?: () => Promise<void>;
}

/** The result of an import: the conversation, and what could not be imported. */
export interface ImportedMessages {
  readonly format: MessageFormat;
  readonly turns: number;
  readonly losses: readonly ImportLoss[];
}

export interface ImportParts {
  readonly store: Pick<ConversationStore, "importConversation">;
  readonly loadTokenizer: () => Promise<CountTokens>;
  readonly now: () => number;
  /** The storage limits. The command line has none. */
  readonly room?: Pick<WriteRoom, "reserve">;
}

export async function importMessages(
  { store, loadTokenizer, now, room }: ImportParts,
  given: unknown,
  { key, format: asked, attributes = {}, signal, limits, maxLineBytes, pause = yieldToOthers }: MessageImport,
): Promise<ImportedMessages> {
  await pause();
  const { format, transcript, losses } = readMessages(given, asked);
  if (limits !== undefined) checkTranscript(transcript, limits);
  const { ids } = thisMachine();
  const options = { key, ids, now, countTokens: await loadTokenizer(), signal, pause };
  const { events, blobs } = await transcriptEvents(transcript, options);
  const lines = composeExport({ at: now(), attributes, events, blobs });
  const file = paced(lines, pause, async (bytes) => room?.reserve(key, bytes));
  await store.importConversation(key, file, {
    ...(signal === undefined ? {} : { signal }),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  return { format, turns: transcript.turns.length, losses };
}

/** Storage is reserved in steps of at least this many bytes. */
const RESERVE_EVERY = 1_000_000;
/** Bytes that are stored before the next pause. */
const PAUSE_EVERY = 64_000;

/** Storage is reserved for a line before the line is stored. */
async function* paced(
  lines: Iterable<Uint8Array>,
  pause: () => Promise<void>,
  reserve: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let reserved = 0;
  let size = 0;
  let paused = 0;
  for (const line of lines) {
    size += line.length;
    if (size > reserved) {
      const bytes = Math.max(RESERVE_EVERY, size - reserved);
      await reserve(bytes);
      reserved += bytes;
    }
    if (size - paused > PAUSE_EVERY) {
      await pause();
      paused = size;
    }
    yield line;
  }
}
