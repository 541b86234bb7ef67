/** Streams a turn as UI messages of the AI SDK. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { LiveHub, TurnQueue } from "cairn-agent/turns";
import { openTurnStream, type TurnForm, type TurnStreamOptions } from "./turn-stream.ts";
import { TurnWriter } from "./turn-writer.ts";
import { DONE, type UiChunk } from "./ui-chunk.ts";

const STOPPED: UiChunk = {
  type: "error",
  errorText:
    "The server cannot stream this answer any further right now. The turn continues; request its stream again.",
};

interface Parts {
  readonly store: ConversationStore;
  readonly live: LiveHub;
  readonly queue: TurnQueue;
  readonly prefix: string;
}

/** The whole stream for a message that waits until another person approves a call of an earlier turn. */
export function waitingStream(conversation: string, turnId: string): string {
  const messageMetadata = { conversation_id: conversation, turn_id: turnId, exit: "waiting" };
  const chunks: UiChunk[] = [
    { type: "start", messageId: turnId },
    { type: "finish", finishReason: "other", messageMetadata },
  ];
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") + DONE;
}

export async function openChatStream(
  parts: Parts,
  key: ConversationKey,
  options: TurnStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const place = { conversation: key.conversation, prefix: parts.prefix };
  const form: TurnForm<UiChunk> = {
    writer: (turn) => new TurnWriter({ ...turn, ...place }),
    stopped: STOPPED,
    done: DONE,
  };
  return openTurnStream(parts, key, form, options);
}
