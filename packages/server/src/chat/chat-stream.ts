/**
 * A turn as a UI message stream, from its beginning or from where its reader left off, until it ends or needs a person.
 *
 * An AI SDK client does not ask again by itself when a stream ends early: it takes what it has for the answer. So a
 * reader that fell behind is given what it missed from the journal, and one that cannot be served to the end is told.
 */

import type { ConversationKey } from "@cairn/store";
import type { ServerParts } from "../http/server-parts.ts";
import { followerStream } from "../live/follower-stream.ts";
import type { LiveItem } from "../live/live-item.ts";
import { missedEvents } from "../live/missed-events.ts";
import { TurnWriter } from "./turn-writer.ts";
import { DONE, encodeChunk, type UiChunk } from "./ui-chunk.ts";

const STOPPED: UiChunk = {
  type: "error",
  errorText:
    "The server cannot stream this answer any further right now. The turn continues; request its stream again.",
};

export interface ChatStreamOptions {
  readonly turnId: string;
  /** The journal is read from behind this seq: the turn's message, or what opened it. */
  readonly from: number;
  /** What happened up to this seq is known to the reader already. */
  readonly known?: number;
  /** Asked with every heartbeat. */
  readonly isWelcome?: () => Promise<boolean>;
}

type Parts = Pick<ServerParts, "store" | "live" | "queue">;

export async function openChatStream(
  { store, live, queue }: Parts,
  key: ConversationKey,
  { turnId, from, known = from, isWelcome = async () => true }: ChatStreamOptions,
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

  /** From what the reader has seen to what happens now, until the turn is over or nothing more comes this way. */
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
    // What was shown, is in no block and is not being written any more was taken back while nobody listened.
    const lost = writer.openStreams.filter((stream) => !isWritten.has(stream));
    yield write(writer, [...lost.map((stream): LiveItem => ({ type: "discarded", stream })), ...open]);
    if (!writer.isOver && (await queue.standing(key)).status === "waiting") yield spell(writer.waitIfAsked());
    while (!writer.isOver) {
      const items = await mailbox.wait();
      if (items === null) return;
      const isBeat = items.some(({ type }) => type === "heartbeat");
      if (isBeat && !(await isWelcome())) return;
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

  /** Whether there is another place for a reader that lost its own by being slow. */
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
