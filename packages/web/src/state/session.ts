/** The displayed state of one conversation, as pure functions: loaded turns, and messages that are being sent. */
import type { Conversation, ConversationStatus, ForkedFrom, SendMode, SentPrompt, TurnVersions } from "@cairn/api";
import {
  type ApprovalView,
  type ConversationView,
  emptyView,
  type SentReasoning,
  type SourceRow,
  type TurnView,
} from "@cairn/timeline";
import type { ConversationPage } from "../api/client.ts";
import type { Connection } from "../api/follow.ts";
import { type OpenStreams, streamKey } from "./live-text.ts";

/** A message that is being sent. It stays, maybe with an error, until it is accepted or taken back. */
export interface Outgoing {
  readonly key: string;
  readonly mode: SendMode;
  readonly model: string | null;
  readonly reasoning: SentReasoning | null;
  readonly message: string;
  /** The prompt of an MCP server from which the message was made; null without one. */
  readonly prompt: SentPrompt | null;
  readonly files: readonly File[];
  /** The part of the message that is uploaded, from 0 to 1. */
  readonly progress: number;
  /** Why the message is sent again, if the server answers but is overloaded. */
  readonly delay: string | null;
  readonly problem: string | null;
  /** The seq of the message's event, once the server has accepted the message. */
  readonly acceptedSeq: number | null;
}

export interface Session {
  readonly id: string;
  readonly phase: "loading" | "ready" | "missing" | "failed";
  readonly problem: string | null;
  readonly conversation: Conversation | null;
  readonly view: ConversationView;
  /** The conversation of which this one is a copy up to a seq. */
  readonly forkedFrom: ForkedFrom | null;
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
  /** The size of the model's view in tokens, while a compaction runs. */
  readonly compacting: number | null;
  readonly connection: Connection;
  readonly outgoing: readonly Outgoing[];
  /** Whether the user has asked to stop a turn that has not stopped yet. */
  readonly isStopping: boolean;
}

export function newSession(id: string): Session {
  return {
    id,
    phase: "loading",
    problem: null,
    conversation: null,
    view: emptyView(),
    forkedFrom: null,
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

/** The state with the latest turns from the server. Messages that are being sent stay. */
export function openPage(session: Session, page: ConversationPage): Session {
  const { conversation, seq, turns, sources, highest_sid, pending } = page;
  const earlier = Math.max(0, (turns[0]?.n ?? 1) - 1);
  const streams: OpenStreams = new Map(page.streams.map((open) => [streamKey(open), open]));
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
    forkedFrom: page.forked_from,
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

/** Adds rows of the pool from before the page was opened. Rows that the page already has are newer and stay. */
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

/** Removes accepted messages that are now on the timeline or in the server's list of waiting messages. */
export function settleOutgoing(session: Session): Session {
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

/** Whether the agent is working. A message then steers it and opens no turn. */
export function isBusy(session: Session): boolean {
  return openTurnOf(session) !== null || session.status === "running" || session.status === "queued";
}

function mergeSources(older: readonly SourceRow[], newer: readonly SourceRow[]): readonly SourceRow[] {
  const bySid = new Map([...older, ...newer].map((row) => [row.sid, row]));
  return [...bySid.values()].sort((left, right) => left.sid - right.sid);
}
