/** A turn as a UI message stream, from its beginning or from where its reader left off, until it ends or needs a person. */

import type { ConversationKey } from "@cairn/store";
import type { ServerParts } from "../http/server-parts.ts";
import { followerStream } from "../live/follower-stream.ts";
import type { LiveItem } from "../live/live-item.ts";
import { TurnWriter } from "./turn-writer.ts";
import { DONE, encodeChunk, type UiChunk } from "./ui-chunk.ts";

const PAGE = 200;

export interface ChatStreamOptions {
  readonly turnId: string;
  /** The journal is read from behind this seq: the turn's message, or what opened it. */
  readonly from: number;
  /** What happened up to this seq is known to the reader already. */
  readonly known?: number;
}

type Parts = Pick<ServerParts, "store" | "live" | "queue">;

export async function openChatStream(
  parts: Parts,
  key: ConversationKey,
  options: ChatStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const following = await parts.live.follow(key);
  const chunks = writeChunks();
  return followerStream(following, chunks);

  async function* writeChunks(): AsyncGenerator<string, void, undefined> {
    using _ = following;
    const { store, queue } = parts;
    const { turnId, from, known = from } = options;
    const { state } = await store.load(key);
    const sources = [...state.pool.rows()];
    const writer = new TurnWriter({ turnId, conversation: key.conversation, sources });
    const write = (items: readonly LiveItem[]) => {
      const made: UiChunk[] = [];
      for (const item of items) {
        if (writer.isOver) break;
        const told = writer.take(item);
        if (item.type !== "event" || item.stored.seq > known) made.push(...told);
      }
      return made.map(encodeChunk).join("");
    };
    yield writer.start().map(encodeChunk).join("");
    for (let seq = from; seq < following.seq && !writer.isOver; ) {
      const events = await store.readEvents(key, { after: seq, limit: Math.min(PAGE, following.seq - seq) });
      if (events.length === 0) break;
      seq = events.at(-1)?.seq ?? seq;
      yield write(events.map((stored): LiveItem => ({ type: "event", stored })));
    }
    const waiting = following.mailbox.take().filter(({ type }) => type !== "delta");
    yield write([...waiting, ...following.openStreams()]);
    if (!writer.isOver && (await queue.standing(key)).status === "waiting")
      yield writer.waitIfAsked().map(encodeChunk).join("");
    while (!writer.isOver) {
      const items = await following.mailbox.wait();
      // Nothing is lost: the reader asks for the stream again and gets it from the beginning.
      if (items === null) return;
      yield items.some(({ type }) => type === "heartbeat") ? `: still here\n\n${write(items)}` : write(items);
    }
    yield DONE;
  }
}
