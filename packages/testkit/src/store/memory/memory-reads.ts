/** The reads of the reference store, each computed from the whole journal. */
import type { FoundPath, QuarantinedTurn, StoredArtifact, StoredTurn, TurnPage } from "@cairn/store";
import {
  applyEvent,
  composePayload,
  composeTurnLog,
  type Json,
  type KnownEvent,
  payloadSummary,
  resolveArtifact,
  resolvePath,
  type TimelineEvent,
  TimelineState,
  type TurnArtifacts,
  turnArtifacts,
  turnLogSummary,
} from "@cairn/timeline";
import { eventOf, type JournalRow, type MemoryConversation, readRow, stateOf } from "./memory-data.ts";

/** The state as if nothing had ever been compacted and, by default, as if nothing had been hidden. */
function everything(journal: readonly JournalRow[], overlays = false): TimelineState {
  const state = new TimelineState();
  for (const row of journal) {
    const event = eventOf(row);
    if (!overlays && /^blocks\.(?:hidden|pruned|clipped)$/.test(event.kind)) continue;
    if (!("unknown" in event) && event.kind === "compaction.committed")
      state.append(event.body.summary, event.body.version, event.body.tokens);
    else applyEvent(state, event);
  }
  return state;
}

export function composeArtifacts(conversation: MemoryConversation): StoredArtifact[] {
  const { journal, last_activity_at } = conversation;
  const state = stateOf(journal);
  const ts = state.meta.last_activity_at ?? new Date(last_activity_at).toISOString();
  const rows = state.pool.rows();
  const found: StoredArtifact[] = [
    composed("conv.timeline.v1", null, ts, payloadSummary(state), composePayload(state)),
    composed("conv:sources_pool", null, ts, JSON.stringify({ sources_pool_count: rows.length }), {
      sources_pool: rows,
    }),
  ];
  for (const [index, row] of journal.entries()) {
    const event = eventOf(row);
    if ("unknown" in event) continue;
    if (event.kind === "turn.closed") {
      const { turn_id, ts } = event.body;
      const then = everything(journal.slice(0, index + 1), true);
      const log = composeTurnLog(then, turn_id, ts, null);
      found.push({
        ...composed("turn.log", turn_id, ts, turnLogSummary(then, turn_id), log),
        id: `turn.log:${turn_id}`,
      });
    }
    if (event.kind === "compaction.committed") {
      const { summary, position } = event.body;
      const artifact = composed(
        "conv.range.summary",
        summary.turn_id ?? null,
        summary.ts ?? ts,
        summary.text ?? "",
        summary,
      );
      found.push({ ...artifact, id: `conv.range.summary:${position}` });
    }
  }
  return found;
}

function composed(
  kind: string,
  turn_id: string | null,
  ts: string,
  content_str: string,
  payload: unknown,
): StoredArtifact {
  const plain: Json = JSON.parse(JSON.stringify(payload));
  return { id: kind, kind: `artifact:${kind}`, turn_id, ts, content_str, payload: plain };
}

export function findPath(journal: readonly JournalRow[], path: string): FoundPath | null {
  const { logical } = resolvePath(path);
  const state = everything(journal);
  const artifact = resolveArtifact(state, logical);
  if (artifact === null) return null;
  const base = artifact.path;
  const isPool = base.startsWith("so:");
  const entries = state.atPath(base).filter((entry) => entry.version > 0);
  const latestVersion = isPool ? artifact.version : (entries.at(-1)?.version ?? artifact.version);
  const seqs = seqsByPosition(journal);
  const blocks = (isPool ? [] : entries)
    .filter((entry) => entry.version === artifact.version)
    .map(({ position, block, tokens, version }) => {
      return { seq: seqs.get(position) ?? 0, position, block, tokens: tokens ?? 0, version };
    });
  return { path: base, version: artifact.version, latestVersion, blocks, state, artifact };
}

function seqsByPosition(journal: readonly JournalRow[]): Map<number, number> {
  const seqs = new Map<number, number>();
  for (const row of journal) {
    const event = eventOf(row);
    if ("unknown" in event) continue;
    if (event.kind === "block.appended" || event.kind === "compaction.committed")
      seqs.set(event.body.position, row.seq);
  }
  return seqs;
}

/** The turns of a journal. A turn begins when it is opened, or with its first block if it was never opened. */
export function listTurns(journal: readonly JournalRow[]): StoredTurn[] {
  const turns = new Map<string, StoredTurn>();
  const state = everything(journal);
  for (const row of journal) {
    const event = eventOf(row);
    if ("unknown" in event) continue;
    const turn_id = turnOf(event);
    if (turn_id === undefined || turn_id === "") continue;
    const known = turns.get(turn_id) ?? {
      turn_id,
      opened_seq: row.seq,
      closed_seq: null,
      opened_at: null,
      closed_at: null,
      exit: null,
      view: turnArtifacts(state, turn_id) ?? nothingSeen(turn_id),
    };
    if (event.kind === "turn.opened")
      turns.set(turn_id, { ...known, closed_seq: null, opened_at: known.opened_at ?? event.body.ts });
    else if (event.kind === "turn.closed")
      turns.set(turn_id, { ...known, closed_seq: row.seq, closed_at: event.body.ts, exit: event.body.exit });
    else turns.set(turn_id, known);
  }
  return [...turns.values()];
}

/**
 * The journal of a page as the contract defines it: the span of the turns, and of later events only those about them.
 */
export function readTurnPage(
  journal: readonly JournalRow[],
  options: { readonly before?: number; readonly limit?: number; readonly maxBytes?: number },
): TurnPage {
  const { before, limit = 20, maxBytes = Number.POSITIVE_INFINITY } = options;
  const turns = listTurns(journal);
  const last = Math.min((before ?? turns.length + 1) - 1, turns.length);
  const seq = journal.length;
  if (last < 1) return { first: 1, last: 0, seq, highest_sid: 0, events: [] };
  const startOf = (first: number) => turns[first - 1]?.opened_seq ?? 1;
  const end = turns[last]?.opened_seq ?? seq + 1;
  const isAbout = (event: TimelineEvent, first: number) => {
    if ("unknown" in event) return false;
    if (event.kind === "feedback.received" || event.kind === "compaction.committed") return true;
    const shown = turns.slice(first - 1, last).map(({ turn_id }) => turn_id);
    return event.kind === "block.appended" && shown.includes(event.body.block.turn_id ?? "");
  };
  const rows = journal.map((row) => ({ ...readRow(row), bytes: bytesOf(row) }));
  const pageFrom = (first: number) =>
    rows.filter((row) => row.seq >= startOf(first) && (row.seq < end || isAbout(row.event, first)));
  const sizeFrom = (first: number) => pageFrom(first).reduce((sum, { bytes }) => sum + bytes, 0);
  let first = Math.max(1, last - limit + 1);
  while (first < last && sizeFrom(first) > maxBytes) first++;
  const highest_sid = stateOf(journal.slice(0, startOf(first) - 1)).pool.maxSid;
  return { first, last, seq, highest_sid, events: pageFrom(first).map(({ bytes: _, ...event }) => event) };
}

function bytesOf({ envelope }: JournalRow): number {
  return Buffer.byteLength(JSON.stringify(JSON.parse(envelope).body));
}

function turnOf(event: KnownEvent): string | undefined {
  if (event.kind === "turn.opened" || event.kind === "turn.closed") return event.body.turn_id;
  if (event.kind === "block.appended") return event.body.block.turn_id;
  return event.kind === "compaction.committed" ? event.body.summary.turn_id : undefined;
}

function nothingSeen(turn_id: string): TurnArtifacts {
  return { turn_id, prompt: null, completion: null, attachments: [], files: [], citations: [], followups: [] };
}

export function quarantinedTurns({ key, journal }: MemoryConversation): Iterable<QuarantinedTurn> {
  const turns = new Map<string, QuarantinedTurn>();
  for (const { event } of journal.map(readRow)) {
    if ("unknown" in event) continue;
    if (event.kind === "turn.closed" && event.body.exit === "quarantined")
      turns.set(event.body.turn_id, { key, turn_id: event.body.turn_id, closed_at: event.body.ts });
    if (event.kind === "turn.released") turns.delete(event.body.turn_id);
  }
  return turns.values();
}
