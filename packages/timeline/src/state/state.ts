/**
 * The state of a conversation: what the fold of its events gives.
 *
 * It is owned by one writer and grows in place, so that applying an event costs what the event costs and not what the
 * conversation weighs. The window holds the latest summary and the blocks after it; what a compaction dropped is in
 * the journal, found there by path.
 */
import type { Block } from "../block/block.ts";
import type { EventBody } from "../event/event.ts";
import { callOfPath } from "../path/owner.ts";
import { canonicalPath } from "../path/resolve.ts";
import { createPool, type SourcesPool } from "../sources/pool.ts";
import { Entry } from "./entry.ts";

export interface ConversationMeta {
  readonly conversation_title: string | null;
  readonly conversation_started_at: string | null;
  readonly last_activity_at: string | null;
  /** Start of the last model request, in epoch seconds. */
  readonly cache_last_touch_at: number | null;
  readonly cache_last_ttl_seconds: number | null;
}

export class TimelineState {
  #window: Entry[] = [];
  #byPath = new Map<string, Entry[]>();
  #calls = new Map<string, Entry>();
  #plans: Entry[] = [];
  /** Versions of paths that a compaction dropped and that may still be written to. */
  #droppedVersions = new Map<string, number>();
  #turns = new Map<string, Entry[]>();

  /** Position of the next block. */
  nextPosition = 0;
  /** Moves whenever something already rendered may look different: an overlay changed or the window was cut. */
  revision = 0;
  meta: ConversationMeta = {
    conversation_title: null,
    conversation_started_at: null,
    last_activity_at: null,
    cache_last_touch_at: null,
    cache_last_ttl_seconds: null,
  };
  /** Time of the payload the state was read from. */
  readAt: string | null = null;
  pool: SourcesPool = createPool([]);
  openTurn: string | null = null;
  /** Calls that were started and have not settled. */
  readonly unsettled = new Map<string, EventBody<"call.started">>();
  /** Inputs nobody has acted on yet, by key, in order of arrival. */
  readonly pendingInputs = new Map<string, EventBody<"input.received">>();
  readonly pendingFeedback = new Map<string, EventBody<"feedback.received">>();
  cancelRequested: EventBody<"cancel.requested"> | null = null;
  readonly approvalsRequested = new Map<string, EventBody<"approval.requested">>();
  readonly approvalsGiven = new Map<string, EventBody<"approval.given">>();
  lastReceipt: EventBody<"model.receipt"> | null = null;

  get window(): readonly Entry[] {
    return this.#window;
  }

  /** Every turn the conversation ever had, oldest first, also those a compaction covers. */
  get turnIds(): string[] {
    return [...this.#turns.keys()];
  }

  /** The turn exists, even if the window holds none of its blocks. */
  noteTurn(turnId: string): void {
    if (!this.#turns.has(turnId)) this.#turns.set(turnId, []);
  }

  /** The entries of a turn that the window holds, oldest first. */
  turnEntries(turnId: string): readonly Entry[] {
    return this.#turns.get(turnId) ?? [];
  }

  /** Adds a block at the end; without a `version` it is the next one of its path. */
  append(block: Block, version: number | null, tokens: number | null): Entry {
    const entry = new Entry(this.nextPosition++, block, version ?? 0, tokens);
    entry.version = version ?? this.#nextVersion(entry.path, block, entry.callId);
    this.#window.push(entry);
    this.#index(entry);
    return entry;
  }

  /** Cuts the window: the summary, then every block from position `cut` on. */
  compact(summary: Block, cut: number, version: number, tokens: number | null): void {
    const kept = this.#window.filter((entry) => entry.position >= cut && entry.block.type !== "conv.range.summary");
    const keptTurns = new Set(kept.map((entry) => entry.block.turn_id));
    for (const entry of this.#window) {
      const { path, turn_id } = entry.block;
      if (path !== undefined && entry.version > 0 && (keptTurns.has(turn_id) || !path.startsWith("fi:")))
        this.#droppedVersions.set(pathKey(path), entry.version);
    }
    const entry = new Entry(this.nextPosition++, summary, version, tokens);
    this.#window = [entry, ...kept];
    this.#byPath = new Map();
    this.#calls = new Map();
    this.#plans = [];
    for (const turn of this.#turns.keys()) this.#turns.set(turn, []);
    for (const each of this.#window) this.#index(each);
    this.revision++;
  }

  /** The entry at a position, or null when it is not in the window. */
  at(position: number): Entry | null {
    return this.#window[this.indexOf(position)] ?? null;
  }

  /** Index in the window of the block at a position; -1 when it is not there. */
  indexOf(position: number): number {
    if (this.#window[0]?.position === position) return 0;
    // Behind the head, positions ascend.
    let low = 1;
    let high = this.#window.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = this.#window[middle]?.position ?? position;
      if (there === position) return middle;
      if (there < position) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Every entry of the window at a path, oldest first, whichever way the path is spelled. */
  atPath(path: string): readonly Entry[] {
    return this.#byPath.get(pathKey(path)) ?? [];
  }

  /** The entries that say something about plans: snapshots, and summaries with the plans they cover. */
  get planEntries(): readonly Entry[] {
    return this.#plans;
  }

  /** The tool a call went to, as the visible call block says; null when the window holds no such call. */
  toolOf(callId: string): string | null {
    const tool = this.#calls.get(callId)?.json?.tool_id;
    return typeof tool === "string" && tool !== "" ? tool : null;
  }

  /** The version a block would be if it were appended now; 0 when it is none. */
  versionOf(block: Block, callId: string | null): number {
    return this.#nextVersion(block.path === undefined ? null : pathKey(block.path), block, callId);
  }

  #nextVersion(key: string | null, block: Block, callId: string | null): number {
    if (key === null || this.#isReadBack(key, callId)) return 0;
    const earlier = this.#byPath.get(key);
    for (let i = (earlier?.length ?? 0) - 1; i >= 0; i--) {
      const entry = earlier?.[i];
      if (entry !== undefined && entry.version > 0) return entry.version + (isSameWrite(entry, block, callId) ? 0 : 1);
    }
    return (this.#droppedVersions.get(key) ?? 0) + 1;
  }

  /** What `react.read` shows again is no new version; its own status block is. */
  #isReadBack(path: string, callId: string | null): boolean {
    return callId !== null && this.toolOf(callId) === "react.read" && callOfPath(path) !== callId;
  }

  #index(entry: Entry): void {
    const { block, callId } = entry;
    if (block.type === "react.tool.call" && callId !== null) this.#calls.set(callId, entry);
    if (block.type === "react.plan" || block.type === "conv.range.summary") this.#plans.push(entry);
    if (block.turn_id) {
      this.noteTurn(block.turn_id);
      this.#turns.get(block.turn_id)?.push(entry);
    }
    if (entry.path === null) return;
    const known = this.#byPath.get(entry.path);
    if (known === undefined) this.#byPath.set(entry.path, [entry]);
    else known.push(entry);
  }

  get droppedVersions(): ReadonlyMap<string, number> {
    return this.#droppedVersions;
  }

  restoreDroppedVersions(versions: Iterable<readonly [string, number]>): void {
    this.#droppedVersions = new Map(versions);
  }
}

function pathKey(path: string): string {
  return canonicalPath(path) ?? path;
}

/** One call's blocks at one path are one write; so are an attachment's meta block and its bytes. */
function isSameWrite(earlier: Entry, block: Block, callId: string | null): boolean {
  if (callId !== null || earlier.callId !== null) return callId === earlier.callId;
  return earlier.block.type === "user.attachment.meta" && block.type === "user.attachment";
}
