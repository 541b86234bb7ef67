/**
 * The state of a conversation: the result of folding its events.
 *
 * One writer owns the state and changes it in place, so the cost of applying an event does not depend on the size of
 * the conversation. The window contains the latest summary and the blocks after it; blocks that a compaction dropped
 * are in the journal, found there by path.
 */
import type { Block } from "../block/block.ts";
import { sourcesKnownIn } from "../citation/known-sources.ts";
import type { EventBody } from "../event/event.ts";
import type { TurnChoice } from "../event/turn-choice.ts";
import { viewBinary } from "../message/binary-view.ts";
import { callOfPath, turnOfPath } from "../path/owner.ts";
import { canonicalPath } from "../path/resolve.ts";
import { createPool, type SourcesPool } from "../sources/pool.ts";
import { Call, Calls } from "./call.ts";
import { Entry } from "./entry.ts";
import { Past } from "./past.ts";

export interface ConversationMeta {
  readonly conversation_title: string | null;
  readonly conversation_started_at: string | null;
  readonly last_activity_at: string | null;
  /** Start of the last model request, in epoch seconds. */
  readonly cache_last_touch_at: number | null;
  readonly cache_last_ttl_seconds: number | null;
}

/** The attempts at one turn. Each attempt ended without a result, according to the journal. */
export interface Attempts {
  readonly turn_id: string;
  /** The process of each attempt, oldest first; consecutive attempts of one process count once. */
  readonly by: readonly string[];
}

/** `cancelled`: the turn that the message opens is cancelled at once. */
export type PendingInput = EventBody<"input.received"> & { readonly cancelled?: EventBody<"cancel.requested"> };

export class TimelineState {
  #window: Entry[] = [];
  #byPath = new Map<string, Entry[]>();
  #calls = new Calls();
  /** Cache of digests by the path they describe; see `describedAt`. */
  #described = new Map<string, Entry[]>();
  #describedUpTo = 0;
  #plans: Entry[] = [];
  /** Entries with a picture or document that nothing covers or clips. */
  #files: Entry[] = [];
  /** Latest versions of paths that a compaction dropped and that may still be written to. */
  #droppedVersions = new Map<string, number>();
  #turns = new Map<string, Entry[]>();

  nextPosition = 0;
  /** Changes whenever something already rendered may look different: an overlay changed or the window was cut. */
  revision = 0;
  meta: ConversationMeta = {
    conversation_title: null,
    conversation_started_at: null,
    last_activity_at: null,
    cache_last_touch_at: null,
    cache_last_ttl_seconds: null,
  };
  /** Time of the payload from which the state was read. */
  readAt: string | null = null;
  pool: SourcesPool = createPool([]);
  openTurn: string | null = null;
  /** The choices of the message that opened the turn. */
  openTurnChoice: TurnChoice = {};
  /** Attempts at the open turn; null when the last timeline event is not the start of an attempt. */
  attempts: Attempts | null = null;
  readonly unsettled = new Map<string, EventBody<"call.started">>();
  /** Inputs that were not processed yet, by key, in order of arrival. */
  readonly pendingInputs = new Map<string, PendingInput>();
  readonly pendingOrders = new Map<string, EventBody<"order.changed">>();
  readonly pendingFeedback = new Map<string, EventBody<"feedback.received">>();
  cancelRequested: EventBody<"cancel.requested"> | null = null;
  readonly approvalsRequested = new Map<string, EventBody<"approval.requested">>();
  readonly approvalsGiven = new Map<string, EventBody<"approval.given">>();
  /** Tools that a person has allowed for the rest of the conversation, as hashes of conversation and tool. */
  readonly grants = new Set<string>();
  lastReceipt: EventBody<"model.receipt"> | null = null;
  past = new Past();
  /** Position after the last block that a request has shown; null when no receipt records it. */
  sentPosition: number | null = null;

  get window(): readonly Entry[] {
    return this.#window;
  }

  /** All turns of the conversation, oldest first, including those that a compaction covers. */
  get turnIds(): string[] {
    return [...this.#turns.keys()];
  }

  /** Registers a turn, even if the window contains none of its blocks. */
  noteTurn(turnId: string): void {
    if (!this.#turns.has(turnId)) this.#turns.set(turnId, []);
  }

  /** The entries of a turn that the window holds, oldest first. */
  turnEntries(turnId: string): readonly Entry[] {
    return this.#turns.get(turnId) ?? [];
  }

  /** Appends a block. Without a `version`, the block is the next version of its path. */
  append(block: Block, version: number | null, tokens: number | null): Entry {
    const entry = new Entry(this.nextPosition++, block, version ?? 0, tokens);
    if (entry.kind.role === "summary") this.#calls = new Calls();
    if (entry.callId !== null) this.#joinCall(entry, entry.callId);
    entry.version = version ?? this.#nextVersion(entry);
    entry.sourcesKnown = sourcesKnownIn(block.meta) ?? this.pool.maxSid;
    this.#window.push(entry);
    this.#index(entry);
    return entry;
  }

  /** Cuts the window to the summary and every block from position `cut` on. */
  compact(summary: Block, cut: number, version: number, tokens: number | null): void {
    const kept = this.#window.filter((entry) => entry.position >= cut && entry.kind.role !== "summary");
    this.#keepVersions(kept);
    const entry = new Entry(this.nextPosition++, summary, version, tokens);
    entry.sourcesKnown = sourcesKnownIn(summary.meta) ?? this.pool.maxSid;
    this.#window = [entry, ...kept];
    this.#byPath = new Map();
    this.#described = new Map();
    this.#describedUpTo = 0;
    this.#calls = new Calls();
    this.#plans = [];
    this.#files = [];
    for (const turn of this.#turns.keys()) this.#turns.set(turn, []);
    for (const each of this.#window) this.#index(each);
    this.revision++;
  }

  /** Keeps the version counters that are still needed: of paths of turns in the window, and of no turn. */
  #keepVersions(kept: readonly Entry[]): void {
    const turns = new Set(kept.map((entry) => entry.block.turn_id));
    const mayGrow = (path: string) => {
      const turn = turnOfPath(path);
      return turn === null || turns.has(turn);
    };
    for (const entry of this.#window)
      if (entry.path !== null && entry.version > 0) this.#droppedVersions.set(entry.path, entry.version);
    for (const path of this.#droppedVersions.keys()) if (!mayGrow(path)) this.#droppedVersions.delete(path);
  }

  /** The entry at a position, or null when it is not in the window. */
  at(position: number): Entry | null {
    return this.#window[this.indexOf(position)] ?? null;
  }

  /** Index in the window of the block at a position; -1 when it is not there. */
  indexOf(position: number): number {
    if (this.#window[0]?.position === position) return 0;
    // Binary search: after the first entry, positions ascend.
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

  /** All entries of the window at a path, oldest first, in any spelling of the path. */
  atPath(path: string): readonly Entry[] {
    return this.#byPath.get(pathKey(path)) ?? [];
  }

  /** The entries about plans: snapshots, and summaries with the plans they cover. */
  get planEntries(): readonly Entry[] {
    return this.#plans;
  }

  /** The entries whose picture or document is shown, oldest first. A covered entry stays covered. */
  shownFiles(): readonly Entry[] {
    this.#files = this.#files.filter((entry) => entry.isWhole);
    return this.#files;
  }

  /** The digests that describe the artifact at a path, oldest first. Each entry is examined once, when first needed. */
  describedAt(path: string): readonly Entry[] {
    for (; this.#describedUpTo < this.#window.length; this.#describedUpTo++) {
      const entry = this.#window[this.#describedUpTo];
      const described = entry === undefined ? null : entry.describes;
      if (entry === undefined || described === null) continue;
      const known = this.#described.get(described);
      if (known === undefined) this.#described.set(described, [entry]);
      else known.push(entry);
    }
    return this.#described.get(pathKey(path)) ?? [];
  }

  /** The entry of a block as if it were appended now, with its version. The state does not change. */
  draft(block: Block): Entry {
    const entry = new Entry(this.nextPosition, block, 0, null);
    const call = entry.callId === null ? null : this.#calls.find(turnOf(entry), entry.callId);
    if (call !== null) {
      const before = call.block;
      entry.join(call);
      call.block = before;
    }
    entry.version = this.#nextVersion(entry);
    return entry;
  }

  #joinCall(entry: Entry, id: string): void {
    const turn = turnOf(entry);
    let call = this.#calls.find(turn, id);
    if (call === null) {
      call = new Call(turn, id);
      this.#calls.add(call);
    }
    entry.join(call);
  }

  #nextVersion(entry: Entry): number {
    const { path } = entry;
    if (path === null || isReadBack(entry)) return 0;
    const earlier = this.#byPath.get(path);
    for (let i = (earlier?.length ?? 0) - 1; i >= 0; i--) {
      const there = earlier?.[i];
      if (there !== undefined && there.version > 0) return there.version + (isSameWrite(there, entry) ? 0 : 1);
    }
    return (this.#droppedVersions.get(path) ?? 0) + 1;
  }

  #index(entry: Entry): void {
    const { block, kind } = entry;
    if (entry.call !== null) this.#calls.add(entry.call);
    if (kind.plans !== null) this.#plans.push(entry);
    if (viewBinary(block).length > 0) this.#files.push(entry);
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

function turnOf({ block }: Entry): string {
  return block.turn_id || (block.path === undefined ? null : turnOfPath(block.path)) || "";
}

/** Whether the block shows content again, which makes no new version. The result of the call that shows it does. */
function isReadBack(entry: Entry): boolean {
  return entry.path !== null && entry.traits.showsAgain === true && callOfPath(entry.path) !== entry.callId;
}

/** The blocks of one call at one path are one write, and so are an attachment's meta block and its bytes. */
function isSameWrite(earlier: Entry, entry: Entry): boolean {
  if (earlier.call !== null || entry.call !== null) return earlier.call === entry.call;
  return earlier.kind.attachment === "meta" && entry.kind.attachment === "content";
}
