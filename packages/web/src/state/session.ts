/**
 * One open conversation, as pure functions: the server's answer and every event after it, folded into the displayed
 * state. The same events give the same session, whether they come one by one, in a burst or again after a reconnect.
 */
import {
  type Conversation,
  type ConversationStatus,
  type JournalEvent,
  journalEventSchema,
  type LiveEventName,
  liveEvents,
  type SendMode,
  type SentPrompt,
  type TurnVersions,
} from "@cairn/api";
import {
  type ApprovalView,
  type ConversationView,
  decodeEvent,
  emptyView,
  type KnownEvent,
  kindOf,
  type SentReasoning,
  type SourceRow,
  type TurnView,
  viewEvent,
} from "@cairn/timeline";
import type { EventSourceMessage } from "eventsource-parser";
import { readAs } from "../api/check.ts";
import type { ConversationPage } from "../api/client.ts";
import type { Connection } from "../api/follow.ts";
import { applyDelta, discardStream, endStreams, type OpenStream, type OpenStreams, streamKey } from "./live-text.ts";

/** A message that is being sent. It stays, with its error, until it is accepted or taken back. */
export interface Outgoing {
  readonly key: string;
  readonly mode: SendMode;
  readonly model: string | null;
  readonly reasoning: SentReasoning | null;
  readonly message: string;
  /** The prompt of an MCP server that the message was made with; null without one. */
  readonly prompt: SentPrompt | null;
  readonly files: readonly File[];
  /** The part of the message that is uploaded, from 0 to 1. */
  readonly progress: number;
  /** Why it is being retried: the server answers but is overloaded. */
  readonly delay: string | null;
  readonly problem: string | null;
  /** The seq of its event, once the server has accepted it. */
  readonly acceptedSeq: number | null;
}

export interface Session {
  readonly id: string;
  readonly phase: "loading" | "ready" | "missing" | "failed";
  readonly problem: string | null;
  readonly conversation: Conversation | null;
  readonly view: ConversationView;
  /** The turns that have several versions. */
  readonly versions: readonly TurnVersions[];
  /** Names of versions (`version-names.ts`). */
  readonly versionNames: ReadonlyMap<string, string>;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly status: ConversationStatus;
  readonly queuePosition: number | null;
  readonly streams: OpenStreams;
  /** The latest progress texts of each running call, the newest last. */
  readonly progress: ReadonlyMap<string, readonly string[]>;
  /** Set while the model cannot be reached and the server retries. */
  readonly waiting: { readonly reason: string; readonly ms: number } | null;
  /** The model's view is being summarised: its size in tokens. */
  readonly compacting: number | null;
  readonly connection: Connection;
  readonly outgoing: readonly Outgoing[];
  /** The user asked to stop, and the turn has not stopped yet. */
  readonly isStopping: boolean;
}

export function newSession(id: string): Session {
  return {
    id,
    phase: "loading",
    problem: null,
    conversation: null,
    view: emptyView(),
    versions: [],
    versionNames: new Map(),
    hasOlder: false,
    isLoadingOlder: false,
    status: "idle",
    queuePosition: null,
    waiting: null,
    compacting: null,
    streams: new Map(),
    progress: new Map(),
    connection: "connecting",
    outgoing: [],
    isStopping: false,
  };
}

/** The latest turns, as the server folded them. Messages that are being sent stay. */
export function openPage(session: Session, page: ConversationPage): Session {
  const { conversation, seq, turns, sources, highest_sid, pending } = page;
  const earlier = Math.max(0, (turns[0]?.n ?? 1) - 1);
  const streams = new Map(
    page.streams.map((open): [string, OpenStream] => {
      const stream = { ...open, path: open.path ?? null };
      return [streamKey(stream), stream];
    }),
  );
  const view: ConversationView = {
    seq,
    earlier,
    title: conversation.title,
    turns,
    sources,
    highest_sid,
    approvals: page.approvals as readonly ApprovalView[],
    pending,
  };
  return settleOutgoing({
    ...session,
    phase: "ready",
    problem: null,
    conversation,
    view,
    versions: page.versions,
    hasOlder: page.has_more,
    streams,
    progress: new Map(),
    status: conversation.status,
    queuePosition: null,
    waiting: null,
    compacting: null,
  });
}

/** Adds rows from before the page was opened; rows that the page already knows are newer. */
export function addSources(session: Session, rows: readonly SourceRow[]): Session {
  return rows.length === 0
    ? session
    : { ...session, view: { ...session.view, sources: mergeSources(rows, session.view.sources) } };
}

/** Adds older turns before the existing ones. */
export function addOlder(session: Session, page: ConversationPage): Session {
  const first = session.view.turns[0];
  const older = page.turns.filter(({ n }) => first === undefined || n < first.n);
  const view = {
    ...session.view,
    earlier: Math.max(0, (older[0]?.n ?? first?.n ?? 1) - 1),
    turns: [...older, ...session.view.turns],
    sources: mergeSources(page.sources, session.view.sources),
  };
  return { ...session, view, hasOlder: page.has_more && older.length > 0, isLoadingOlder: false };
}

/** Applies an event of the stream. Unknown or invalid events change nothing. */
export function applyServerEvent(session: Session, { event = "", data: text }: EventSourceMessage): Session {
  const data = parseJson(text);
  if (Object.hasOwn(liveEvents, event)) return applyLiveEvent(session, event as LiveEventName, data);
  const read = readAs(journalEventSchema, data);
  return read === null ? session : applyJournalEvent(session, read);
}

/** How many progress texts of a call are kept: those of a program are parts of its output. */
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
      // The server repeats the latest one to a client that connects again.
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
      return session; // The server closes the connection, and a new one resumes.
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

/** Removes accepted messages that are on the timeline or wait there for their turn. */
function settleOutgoing(session: Session): Session {
  const left = session.outgoing.filter(({ acceptedSeq }) => acceptedSeq === null || acceptedSeq > session.view.seq);
  return left.length === session.outgoing.length ? session : { ...session, outgoing: left };
}

export function addOutgoing(session: Session, outgoing: Outgoing): Session {
  const others = session.outgoing.filter(({ key }) => key !== outgoing.key);
  return { ...session, outgoing: [...others, outgoing] };
}

export function changeOutgoing(session: Session, key: string, change: Partial<Outgoing>): Session {
  const outgoing = session.outgoing.map((each) => (each.key === key ? { ...each, ...change } : each));
  return settleOutgoing({ ...session, outgoing });
}

export function dropOutgoing(session: Session, key: string): Session {
  return { ...session, outgoing: session.outgoing.filter((each) => each.key !== key) };
}

/** The running turn, if any. */
function openTurnOf(session: Session): TurnView | null {
  const last = session.view.turns.at(-1);
  return last !== undefined && last.closed_at === null ? last : null;
}

/** Whether the agent is working, so that a message steers it instead of opening a turn. */
export function isBusy(session: Session): boolean {
  return openTurnOf(session) !== null || session.status === "running" || session.status === "queued";
}

function mergeSources(older: readonly SourceRow[], newer: readonly SourceRow[]): readonly SourceRow[] {
  const bySid = new Map([...older, ...newer].map((row) => [row.sid, row]));
  return [...bySid.values()].sort((left, right) => left.sid - right.sid);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Not one of our events; the schemas reject it.
  }
}
