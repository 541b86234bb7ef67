/**
 * Streams a turn as UI messages, from its beginning or from where the client left off, until it ends or needs approval.
 *
 * An AI SDK client does not reconnect when a stream ends early: it takes what it has for the answer. So a slow client
 * gets missed events from the journal, and one that cannot be served to the end gets an error.
 */

import type { ConversationKey, ConversationStore } from "@cairn/store";
import { ItemFollower, type LiveHub, type LiveItem, type TurnQueue } from "cairn-agent/turns";
import { type CutOff, encoded, streamBody } from "../http/stream-body.ts";
import { TurnWriter } from "./turn-writer.ts";
import { DONE, encodeChunk, type UiChunk } from "./ui-chunk.ts";

const STOPPED: UiChunk = {
  type: "error",
  errorText:
    "The server cannot stream this answer any further right now. The turn continues; request its stream again.",
};

export interface ChatStreamOptions {
  readonly turnId: string;
  /** The key of the message that opens the turn; null if the turn is open already. */
  readonly message?: string | null;
  /** The journal is read after this seq: the turn's message, or the event that opened it. */
  readonly from: number;
  /** The client already knows events up to this seq. */
  readonly known?: number;
  /** Called when the client leaves before the end. */
  readonly onLeft?: () => Promise<unknown>;
  /** Whether the caller still has access. Checked with every heartbeat of the stream. */
  readonly isAllowed?: () => Promise<boolean>;
  readonly cutOff: CutOff;
}

interface Parts {
  readonly store: ConversationStore;
  readonly live: LiveHub;
  readonly queue: TurnQueue;
  readonly prefix: string;
}

export async function openChatStream(
  parts: Parts,
  key: ConversationKey,
  {
    turnId,
    message = null,
    from,
    known = from,
    isAllowed = async () => true,
    onLeft = async () => undefined,
    cutOff,
  }: ChatStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { store, queue, prefix } = parts;
  const follower = await ItemFollower.open(parts, key, from);
  let isOver = false;
  return streamBody(encoded(writeChunks()), {
    cutOff,
    onLeaving: () => follower[Symbol.dispose](),
    onLeft: async () => {
      if (!isOver) await onLeft();
    },
  });

  async function* writeChunks(): AsyncGenerator<string, void, undefined> {
    using _ = follower;
    const { state } = await store.load(key);
    const writer = new TurnWriter({
      turnId,
      message,
      conversation: key.conversation,
      prefix,
      sources: [...state.pool.rows()],
    });
    yield spell(writer.start());
    let wasCaughtUp = false;
    for await (const { items, isCaughtUp } of follower.batches(() => writer.openStreams)) {
      const isBeat = items.some(({ type }) => type === "heartbeat");
      if (isBeat && !(await isAllowed())) break;
      const beat = isBeat ? ": still here\n\n" : "";
      yield `${beat}${write(writer, items)}`;
      if (isCaughtUp && !wasCaughtUp && !writer.isOver && (await queue.status(key)).status === "waiting")
        yield spell(writer.waitIfAsked());
      wasCaughtUp = isCaughtUp;
      if (writer.isOver) break;
    }
    isOver = writer.isOver;
    yield writer.isOver ? DONE : spell([STOPPED]) + DONE;
  }

  function write(writer: TurnWriter, items: readonly LiveItem[]): string {
    const made: UiChunk[] = [];
    for (const item of items) {
      if (writer.isOver) break;
      const told = writer.take(item);
      if (item.type !== "event" || item.stored.seq > known) made.push(...told);
    }
    return spell(made);
  }
}

function spell(chunks: readonly UiChunk[]): string {
  return chunks.map(encodeChunk).join("");
}
