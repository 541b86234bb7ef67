/**
 * A conversation as server-sent events: missed events, then the text that is being written, then live events.
 *
 * Journal events have their seq as id, so that a client can reconnect; other items have none. Internal content is left
 * out for every follower.
 */
import type { JournalEvent, LiveEvent, LiveEventName } from "@cairn/api";
import type { ConversationKey, StoredEvent } from "@cairn/store";
import { publicEvent } from "@cairn/timeline";
import { type Following, type LiveItem, missedEvents, type TurnQueue } from "cairn-agent/turns";
import { type CutOff, encoded, streamBody } from "../stream-body.ts";
import type { ServerParts } from "./server-parts.ts";

interface Parts extends Pick<ServerParts, "store" | "live" | "telemetry"> {
  readonly queue: Pick<TurnQueue, "status">;
}

interface EventStreamOptions {
  readonly after: number;
  /** Whether the caller still has access. Checked with every heartbeat of the stream. */
  readonly isAllowed?: () => Promise<boolean>;
  readonly cutOff: CutOff;
}

/** Throws `not_found` before it sends anything. */
export async function openEventStream(
  parts: Parts,
  key: ConversationKey,
  { after, isAllowed = async () => true, cutOff }: EventStreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const following = await parts.live.follow(key);
  const frames = writeFrames(parts, key, after, following, isAllowed);
  return streamBody(encoded(frames), { cutOff, onLeaving: () => following[Symbol.dispose]() });
}

async function* writeFrames(
  { store, queue, telemetry }: Parts,
  key: ConversationKey,
  after: number,
  following: Following,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<string, void, undefined> {
  using _ = following;
  const { mailbox } = following;
  yield `retry: 1000\n\n${frameOf(await statusItem(queue, key))}`;
  for await (const events of missedEvents(store, key, after, following.seq)) {
    telemetry.eventsSent({ kind: "event" }, events.length);
    yield events.map(eventFrame).join("");
  }
  // Drops these deltas, because the text so far already contains them.
  const waiting = mailbox.take().filter((item) => item.type !== "delta");
  const open = following.openItems();
  const first = [...waiting, ...open].filter((item) => isNew(item, after)).map(frameOf);
  if (first.length > 0) yield first.join("");
  for (;;) {
    const items = await mailbox.wait();
    if (items === null) break;
    // The stream ends because the caller has lost access. The client's next request gets the reason.
    if (items.some(({ type }) => type === "heartbeat") && !(await isAllowed())) return;
    const fresh = items.filter((item) => isNew(item, after));
    const events = fresh.filter(({ type }) => type === "event").length;
    telemetry.eventsSent({ kind: "event" }, events);
    telemetry.eventsSent({ kind: "live" }, fresh.length - events);
    if (fresh.length > 0) yield fresh.map(frameOf).join("");
  }
  if (mailbox.isLagging) {
    telemetry.followerLagged();
    yield LAGGING_FRAME;
  }
}

/** A client may ask for events after a seq that does not exist yet. Events up to this seq are not sent. */
function isNew(item: LiveItem, after: number): boolean {
  return item.type !== "event" || item.stored.seq > after;
}

async function statusItem(queue: Parts["queue"], key: ConversationKey): Promise<LiveItem> {
  const { status, position } = await queue.status(key);
  return { type: "status", status, ...(position === undefined ? {} : { queue_position: position }) };
}

/** The text of an event is made once for all followers. */
const frames = new WeakMap<LiveItem, string>();

export function frameOf(item: LiveItem): string {
  const known = frames.get(item);
  if (known !== undefined) return known;
  const frame = spell(item);
  frames.set(item, frame);
  return frame;
}

const LAGGING_FRAME = spellEvent("lagging", {
  reason:
    "This client reads too slowly, so the server closed the stream. Reconnect with the last event id that it received.",
});

/** The names of items that have no id. */
const NAMES = {
  delta: "stream.delta",
  ended: "stream.ended",
  discarded: "stream.discarded",
  progress: "progress",
  waiting: "model.waiting",
  compacting: "compaction.started",
  status: "status",
} as const;

function spell(item: LiveItem): string {
  if (item.type === "event") return eventFrame(item.stored);
  if (item.type === "heartbeat") return ": still here\n\n";
  const { type, ...data } = item;
  return spellEvent(NAMES[type], data);
}

function eventFrame({ seq, stored_at, event }: StoredEvent): string {
  const { kind, v, body } = publicEvent(event);
  const data: JournalEvent = { seq, kind, v, body, ts: new Date(stored_at).toISOString() };
  // A journal may contain any string as a kind. A line break in it would begin another field of the stream.
  return `id: ${seq}\nevent: ${kind.replace(/[\r\n]+/g, " ")}\ndata: ${JSON.stringify(data)}\n\n`;
}

function spellEvent<K extends LiveEventName>(name: K, data: LiveEvent<K>): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
