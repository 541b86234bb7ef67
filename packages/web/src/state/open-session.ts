/**
 * The open conversation in the state of the app: reads it, changes it, and folds arriving events into it. The same
 * events give the same session, whether they come one by one, in a burst or again after a reconnect.
 */
import { type JournalEvent, journalEventSchema, type LiveEventName, liveEvents } from "@cairn/api";
import { decodeEvent, type KnownEvent, kindOf, viewEvent } from "@cairn/timeline";
import type { EventSourceMessage } from "eventsource-parser";
import { readAs } from "../api/check.ts";
import { appStore } from "./app-state.ts";
import { applyDelta, discardStream, endStreams } from "./live-text.ts";
import { onNextFrame } from "./next-frame.ts";
import { type Session, settleOutgoing } from "./session.ts";

/** Changes the open conversation, if it still has this id. */
export function updateSession(id: string, change: (session: Session) => Session): void {
  appStore.update((state) => {
    if (state.session === null || state.session.id !== id) return state;
    const session = change(state.session);
    return session === state.session ? state : { ...state, session };
  });
}

export function sessionOf(id: string): Session | null {
  const { session } = appStore.get();
  return session?.id === id ? session : null;
}

interface FoldOptions {
  /** Aborts when the conversation is left. */
  readonly signal: AbortSignal;
  readonly onFolded: (events: readonly EventSourceMessage[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Returns a function that takes events. It folds all events that arrive before the next frame together. */
export function foldArriving(
  id: string,
  { signal, onFolded, onFailure }: FoldOptions,
): (event: EventSourceMessage) => void {
  let arrived: EventSourceMessage[] = [];
  let cancel: (() => void) | null = null;
  const fold = () => {
    const events = arrived;
    arrived = [];
    cancel = null;
    if (events.length === 0) return;
    try {
      updateSession(id, (session) => events.reduce(applyServerEvent, session));
      onFolded(events);
    } catch (error) {
      // An event that cannot be parsed, as of a newer server, is reported, because retrying would never succeed.
      onFailure(error);
    }
  };
  const leave = () => {
    cancel?.();
    fold();
  };
  signal.addEventListener("abort", leave, { once: true });
  return (event) => {
    if (signal.aborted) return;
    arrived.push(event);
    cancel ??= onNextFrame(fold);
  };
}

/** Applies an event of the stream. Unknown or invalid events change nothing. */
export function applyServerEvent(session: Session, { event = "", data: text }: EventSourceMessage): Session {
  const data = parseJson(text);
  if (Object.hasOwn(liveEvents, event)) return applyLiveEvent(session, event as LiveEventName, data);
  const read = readAs(journalEventSchema, data);
  return read === null ? session : applyJournalEvent(session, read);
}

/** Number of progress texts of a call that are kept, because those of a program are pieces of its output. */
const PROGRESS_KEPT = 8;

function applyLiveEvent(session: Session, name: LiveEventName, data: unknown): Session {
  switch (name) {
    case "stream.delta": {
      const delta = readAs(liveEvents[name], data);
      return delta === null ? session : { ...session, streams: applyDelta(session.streams, delta), waiting: null };
    }
    case "stream.ended":
    case "stream.discarded": {
      const read = readAs(liveEvents[name], data);
      return read === null ? session : { ...session, streams: discardStream(session.streams, read.stream) };
    }
    case "progress": {
      const read = readAs(liveEvents[name], data);
      if (read === null) return session;
      const before = session.progress.get(read.call_id) ?? [];
      // The server repeats the latest progress text when a client connects again.
      if (before.at(-1) === read.text) return session;
      const latest = [...before, read.text].slice(-PROGRESS_KEPT);
      return { ...session, progress: new Map(session.progress).set(read.call_id, latest) };
    }
    case "model.waiting": {
      const waiting = readAs(liveEvents[name], data);
      return waiting === null ? session : { ...session, waiting };
    }
    case "compaction.started": {
      const read = readAs(liveEvents[name], data);
      return read === null ? session : { ...session, compacting: read.before_tokens };
    }
    case "status": {
      const read = readAs(liveEvents[name], data);
      if (read === null) return session;
      const { status, queue_position: queuePosition = null } = read;
      const over = status === "idle" ? { isStopping: false, waiting: null, compacting: null } : {};
      return { ...session, status, queuePosition, ...over };
    }
    case "lagging":
      return session; // The server closes the connection after this event. A new connection resumes.
  }
}

function applyJournalEvent(session: Session, record: JournalEvent): Session {
  if (record.seq <= session.view.seq) return session;
  const event = decodeEvent({ kind: record.kind, v: record.v, body: record.body });
  const view = viewEvent(session.view, { seq: record.seq, event });
  const folded = settleOutgoing({ ...session, view });
  return "unknown" in event ? folded : afterEvent(folded, event);
}

/** Roles of the blocks that the text of a decision becomes. */
const SAID_ROLES: ReadonlySet<unknown> = new Set(["notes", "call", "answer"]);

function afterEvent(session: Session, event: KnownEvent): Session {
  switch (event.kind) {
    case "turn.opened":
      return { ...session, status: "running" };
    case "turn.closed":
      return {
        ...session,
        streams: endStreams(session.streams, event.body.turn_id),
        progress: new Map(),
        waiting: null,
        compacting: null,
        isStopping: false,
        status: session.view.pending.length > 0 ? "queued" : "idle",
      };
    case "compaction.committed":
      return { ...session, compacting: null };
    case "block.appended": {
      const { turn_id, type } = event.body.block;
      if (turn_id === undefined || !SAID_ROLES.has(kindOf(type).role)) return session;
      return { ...session, streams: endStreams(session.streams, turn_id), waiting: null };
    }
    case "call.settled": {
      if (!session.progress.has(event.body.call_id)) return session;
      const left = new Map(session.progress);
      left.delete(event.body.call_id);
      return { ...session, progress: left };
    }
    default:
      return session;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The data is not JSON, so it matches no event.
  }
}
