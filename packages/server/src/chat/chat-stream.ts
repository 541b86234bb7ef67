/**
 * Streams a turn as UI messages, from its beginning or from where the client left off, until it ends or needs approval.
 *
 * An AI SDK client does not reconnect when a stream ends early: it takes what it has for the answer. So a slow client
 * gets missed events from the journal, and one that cannot be served to the end gets an error.
 */

import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { LiveHub, LiveItem, TurnQueue } from "cairn-agent/turns";
import { missedEvents } from "cairn-agent/turns";
import { followerStream } from "../live/follower-stream.ts";
import { TurnWriter } from "./turn-writer.ts";
import { DONE, encodeChunk, type UiChunk } from "./ui-chunk.ts";

const STOPPED: UiChunk = {
  type: "error",
  errorText:
    "The server cannot stream this answer any further right now. The turn continues; request its stream again.",
};

export interface ChatStreamOptions {
  readonly turnId: string;
  /** The journal is read after this seq: the turn's message, or the event that opened it. */
  readonly from: number;
  /** The client already knows events up to this seq. */
  readonly known?: number;
  /** Checked with every heartbeat. */
  readonly isAllowed?: () => Promise<boolean>;
}

interface Parts {
  readonly store: ConversationStore;
  readonly live: LiveHub;
  readonly queue: TurnQueue;
}

export async function openChatStream(
  { store, live, queue }: Parts,
  key: ConversationKey,
  { turnId, from, known = from, isAllowed = async () => true }: ChatStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  let following = await live.follow(key);
  let seq = from;
  return followerStream(() => following, writeChunks());

  async function* writeChunks(): AsyncGenerator<string, void, undefined> {
    try {
      const { state } = await store.load(key);
      const writer = new TurnWriter({ turnId, conversation: key.conversation, sources: [...state.pool.rows()] });
      yield spell(writer.start());
      do yield* goOn(writer);
      while (!writer.isOver && (await followAnew()));
      yield writer.isOver ? DONE : spell([STOPPED]) + DONE;
    } finally {
      following[Symbol.dispose]();
    }
  }

  /** Continues from what the client has seen to live events, until the turn ends or the follower is dropped. */
  async function* goOn(writer: TurnWriter): AsyncGenerator<string, void, undefined> {
    const { mailbox } = following;
    for await (const events of missedEvents(store, key, seq, following.seq)) {
      yield write(
        writer,
        events.map((stored): LiveItem => ({ type: "event", stored })),
      );
      if (writer.isOver) return;
    }
    const waiting = mailbox.take().filter(({ type }) => type !== "delta");
    yield write(writer, waiting);
    const open = following.openItems();
    const isWritten = new Set(open.map((item) => (item.type === "delta" ? item.stream : "")));
    // Text that was shown but is neither in a block nor still being written was discarded meanwhile.
    const lost = writer.openStreams.filter((stream) => !isWritten.has(stream));
    yield write(writer, [...lost.map((stream): LiveItem => ({ type: "discarded", stream })), ...open]);
    if (!writer.isOver && (await queue.status(key)).status === "waiting") yield spell(writer.waitIfAsked());
    while (!writer.isOver) {
      const items = await mailbox.wait();
      if (items === null) return;
      const isBeat = items.some(({ type }) => type === "heartbeat");
      if (isBeat && !(await isAllowed())) return;
      const beat = isBeat ? ": still here\n\n" : "";
      yield `${beat}${write(writer, items)}`;
    }
  }

  function write(writer: TurnWriter, items: readonly LiveItem[]): string {
    const made: UiChunk[] = [];
    for (const item of items) {
      if (writer.isOver) break;
      if (item.type === "event") seq = item.stored.seq;
      const told = writer.take(item);
      if (item.type !== "event" || item.stored.seq > known) made.push(...told);
    }
    return spell(made);
  }

  /** Joins the followers again after the client was too slow; false if that is not possible. */
  async function followAnew(): Promise<boolean> {
    if (!following.mailbox.isLagging) return false;
    const before = following;
    following = await live.follow(key, before);
    before[Symbol.dispose]();
    return true;
  }
}

function spell(chunks: readonly UiChunk[]): string {
  return chunks.map(encodeChunk).join("");
}
