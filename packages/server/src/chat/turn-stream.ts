/**
 * Streams a turn as server-sent events, from its beginning or from the client's last position, until it ends or needs
 * approval. The writer determines the form of the chunks.
 *
 * If a stream ends early, a client does not reconnect, but shows the received part as the answer. Therefore a slow
 * client gets missed events from the journal, and a stream that cannot be completed ends with an error.
 */
import type { ConversationKey, ConversationStore, LoadedOutline } from "@cairn/store";
import { publicRow, type SourceRow, viewApproval } from "@cairn/timeline";
import { ItemFollower, type LiveHub, type LiveItem, type TurnChangesOptions, type TurnQueue } from "cairn-agent/turns";
import { type CutOff, encoded, streamBody } from "../http/stream-body.ts";

export interface TurnStreamOptions {
  readonly turnId: string;
  /** The key of the message that opens the turn; null if the turn is already open. */
  readonly message?: string | null;
  /** All events of the turn come after this seq. */
  readonly from: number;
  /** The client already knows events up to this seq. */
  readonly known?: number;
  /** Called when the client leaves before the end. */
  readonly onLeft?: () => Promise<unknown>;
  /** Whether the caller still has access. Checked with every heartbeat of the stream. */
  readonly isAllowed?: () => Promise<boolean>;
  readonly cutOff: CutOff;
}

/** Makes the chunks of a turn from its items. */
interface Writer<Chunk> {
  readonly openStreams: readonly string[];
  /** Whether the stream is complete: nothing more follows in this turn, or not before a call is approved. */
  readonly isOver: boolean;
  start(): readonly Chunk[];
  take(item: LiveItem): readonly Chunk[];
  /** Ends the stream if the turn waits for a person. */
  waitIfAsked(): readonly Chunk[];
}

/** The form of the chunks. */
export interface TurnForm<Chunk> {
  readonly writer: (options: TurnChangesOptions) => Writer<Chunk>;
  /** The last chunk of a stream that cannot be completed. */
  readonly stopped: Chunk;
  /** The text after the last chunk. */
  readonly done: string;
}

interface Parts {
  readonly store: ConversationStore;
  readonly live: LiveHub;
  readonly queue: TurnQueue;
}

/** A proxy that buffers responses would delay the chunks. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export async function openTurnStream<Chunk>(
  parts: Parts,
  key: ConversationKey,
  form: TurnForm<Chunk>,
  {
    turnId,
    message = null,
    from,
    known = from,
    isAllowed = async () => true,
    onLeft = async () => undefined,
    cutOff,
  }: TurnStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const { store, queue } = parts;
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
    const writer = form.writer({ turnId, message, ...(await startOf(store, key, turnId)) });
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
    yield writer.isOver ? form.done : spell([form.stopped]) + form.done;
  }

  function write(writer: Writer<Chunk>, items: readonly LiveItem[]): string {
    const made: Chunk[] = [];
    for (const item of items) {
      if (writer.isOver) break;
      const told = writer.take(item);
      if (item.type !== "event" || item.stored.seq > known) made.push(...told);
    }
    return spell(made);
  }
}

/** Maximum length of a source's field that a stream keeps. URLs and titles are much shorter. */
const MAX_FIELD = 10_000;

/** Maximum number of characters that a stream keeps of all sources. Each source counts `OBJECT_CHARS` more. */
const MAX_KEPT = 4_000_000;
const OBJECT_CHARS = 100;

/** What an open stream keeps in memory of its conversation. */
async function startOf(store: ConversationStore, key: ConversationKey, turnId: string) {
  const { state } = await store.loadOutline(key, { sources: shortFields() });
  const sources = state.pool.rows().filter((row) => Object.keys(row).length > 1);
  return { sources, approvals: approvalsOfOthers(state, turnId) };
}

/** Keeps the short fields of a source without its text. Of sources beyond the maximum, keeps only the number. */
function shortFields(): (row: SourceRow) => SourceRow {
  let left = MAX_KEPT;
  const isShort = (value: unknown) =>
    typeof value === "string" ? value.length <= MAX_FIELD : typeof value !== "object";
  return (row) => {
    const { text: _, content: __, ...rest } = publicRow(row);
    const kept = Object.entries(rest).filter(([field, value]) => field !== "sid" && isShort(value));
    left -= OBJECT_CHARS + JSON.stringify(kept).length;
    return { ...(left < 0 ? {} : Object.fromEntries(kept)), sid: row.sid };
  };
}

/** Calls of earlier turns that wait for approval. The message waits until they are answered. */
function approvalsOfOthers({ approvalsRequested, approvalsGiven }: LoadedOutline["state"], turnId: string) {
  const asked = [...approvalsRequested.values()].filter(({ call_id }) => !approvalsGiven.has(call_id));
  return asked.map(viewApproval).filter(({ turn_id }) => turn_id !== turnId);
}

function spell(chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
}
