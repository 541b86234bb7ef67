/**
 * Formats an item as a server-sent event. Journal events have their seq as id, so that a client can reconnect; other
 * items have none. Internal content is left out for every follower. A frame is made once for all followers.
 */
import type { JournalEvent, LiveEvent, LiveEventName } from "@cairn/api";
import type { StoredEvent } from "@cairn/store";
import { publicEvent } from "@cairn/timeline";
import type { LiveItem } from "./live-item.ts";

const frames = new WeakMap<LiveItem, string>();

export function frameOf(item: LiveItem): string {
  const known = frames.get(item);
  if (known !== undefined) return known;
  const frame = spell(item);
  frames.set(item, frame);
  return frame;
}

export const LAGGING_FRAME = spellEvent("lagging", {
  reason: "This client reads too slowly, so the server closed the stream. Reconnect with the last id you received.",
});

/** The names of the events that have no id. */
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

export function eventFrame({ seq, stored_at, event }: StoredEvent): string {
  const { kind, v, body } = publicEvent(event);
  const data: JournalEvent = { seq, kind, v, body, ts: new Date(stored_at).toISOString() };
  // A kind may be any string of a journal; a line break in it would start another field.
  return `id: ${seq}\nevent: ${kind.replace(/[\r\n]+/g, " ")}\ndata: ${JSON.stringify(data)}\n\n`;
}

function spellEvent<K extends LiveEventName>(name: K, data: LiveEvent<K>): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
