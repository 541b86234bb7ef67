/**
 * The queue of one process. It serves tenants round-robin, the users of a tenant round-robin, and the conversations of
 * a user in order of arrival. At most `concurrency` turns run at once, at most one for each conversation, and at most a
 * share for each tenant and user. A conversation that has more work goes to the end of its user's line.
 *
 * Other processes may share the data folder. A periodic sweep lists the unfinished conversations and takes those that
 * no process works on, up to the number of free slots. The others are left to other processes. So the sweep finds
 * messages that another process accepted, and turns of processes that died.
 */
import { FairLine, HeldShares, type ShareLimits, type Shares, shareLimits } from "@cairn/agent";
import { type ConversationKey, scopeKey, type UnfinishedConversation } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Log } from "../telemetry/log.ts";
import { afterFailure, isPassing } from "./after-failure.ts";
import { queueFull } from "./queue-full.ts";
import { RunningTurns } from "./running-turns.ts";
import { SeenElsewhere } from "./seen-elsewhere.ts";
import type { QueueStatus, RunConversation, RunResult, TurnQueue } from "./turn-queue.ts";

export interface EmbeddedQueueOptions {
  readonly concurrency: number;
  /** Shares of one user and of one tenant in the concurrent turns. */
  readonly shares: Shares;
  /** Maximum number of waiting conversations. */
  readonly limits: ShareLimits;
  readonly log: Log;
  /** All unfinished conversations of the store. */
  readonly unfinished: () => AsyncIterable<UnfinishedConversation>;
  /** Whether the conversation waits for an approval; null if its last event is no longer `seq`. */
  readonly isAsking: (key: ConversationKey, seq: number) => Promise<boolean | null>;
  readonly sweepMs?: number;
}

interface Parked {
  readonly isWaiting: boolean;
  /** Seq of the conversation's last event at the last sweep; null before the first sweep. */
  seq: number | null;
}

interface Waiting {
  readonly owner: ConversationKey;
  /** Messages and approvals since the conversation was last idle. Each turn processes at least one of them. */
  offers: number;
}

/** Interval between sweeps: the maximum time that a message waits for a process other than the one that accepted it. */
const SWEEP_MS = 400;
/** A long sweep is followed by a pause of this many times its duration. */
const SWEEP_REST = 10;
/** Maximum of running and waiting conversations, as a multiple of `concurrency`, so that a next turn can follow. */
const AHEAD = 2;
/** After this many failures in a row, except store failures, the conversation is not retried until it changes. */
const MAX_FAILURES = 10;

export class EmbeddedTurnQueue implements TurnQueue {
  readonly #options: EmbeddedQueueOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #line = new FairLine<Waiting>();
  readonly #lineShares: HeldShares;
  /** Conversations that run, with the offers that arrived during their run. */
  readonly #taken = new Map<string, Waiting>();
  readonly #turns: RunningTurns;
  /** Timers of conversations that will be enqueued again. */
  readonly #later = new Map<string, NodeJS.Timeout>();
  /** Number of failures in a row, by conversation. */
  readonly #failures = new Map<string, number>();
  /** Conversations that cannot continue now, with their last seq. Most of them wait for an approval. */
  readonly #parked = new Map<string, Parked>();
  /** Conversations of the last sweep that other processes run, or for which there was no free slot. */
  readonly #elsewhere = new SeenElsewhere();
  readonly #listeners: ((key: ConversationKey, status: QueueStatus) => void)[] = [];
  #run: RunConversation | null = null;
  #sweeper: NodeJS.Timeout | null = null;
  #draining = false;

  constructor(options: EmbeddedQueueOptions) {
    this.#options = options;
    this.#turns = new RunningTurns(shareLimits(options.concurrency, options.shares));
    this.#lineShares = new HeldShares(options.limits);
  }

  get running(): number {
    return this.#taken.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  start(run: RunConversation): void {
    this.#run = run;
    void this.#sweepOn();
    this.#pump();
  }

  async admit(key: ConversationKey): Promise<void> {
    if (this.#draining)
      throw new CairnError(
        "draining",
        "This process is stopping and takes no messages. Send the message again in a moment.",
      );
    const name = scopeKey(key);
    if (this.#waiting.has(name) || this.#taken.has(name)) return;
    const reached = this.#lineShares.reached(key);
    if (reached !== null) throw queueFull(reached);
  }

  async offer(key: ConversationKey): Promise<void> {
    this.#add(key, 1);
  }

  async status(key: ConversationKey): Promise<QueueStatus> {
    return this.#status(key);
  }

  #status(key: ConversationKey): QueueStatus {
    const name = scopeKey(key);
    if (this.#taken.has(name)) return { status: "running" };
    if (this.#parked.get(name)?.isWaiting === true) return { status: "waiting" };
    if (this.#later.has(name)) return { status: "queued" };
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return { status: this.#elsewhere.statusOf(key) };
    return { status: "queued", position: this.#line.before(waiting) };
  }

  onChange(listener: (key: ConversationKey, status: QueueStatus) => void): void {
    this.#listeners.push(listener);
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    if (this.#sweeper !== null) clearTimeout(this.#sweeper);
    for (const timer of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
    this.#waiting.clear();
    this.#line.clear();
    await this.#turns.drain(graceMs);
  }

  #add(key: ConversationKey, offers: number): void {
    if (this.#draining) return;
    const name = scopeKey(key);
    const there = this.#taken.get(name) ?? this.#waiting.get(name);
    if (there !== undefined) {
      there.offers += offers;
      return;
    }
    this.#parked.delete(name);
    clearTimeout(this.#later.get(name));
    this.#later.delete(name);
    const waiting = { owner: key, offers };
    this.#waiting.set(name, waiting);
    this.#line.add(waiting);
    this.#lineShares.take(key);
    this.#changed(key);
    this.#pump();
  }

  #pump(): void {
    const run = this.#run;
    if (run === null) return;
    for (;;) {
      const waiting = this.#line.next((owner) => this.#turns.hasRoomFor(owner));
      if (waiting === null) return;
      const name = scopeKey(waiting.owner);
      this.#waiting.delete(name);
      this.#lineShares.give(waiting.owner);
      this.#begin(name, waiting, run);
    }
  }

  #begin(name: string, waiting: Waiting, run: RunConversation): void {
    const { owner: key } = waiting;
    this.#taken.set(name, waiting);
    this.#changed(key);
    const turn = this.#turns.begin(key);
    run(key, turn.signal)
      .finally(turn.end)
      .then(
        (result) => this.#ended(name, waiting, result),
        (error: unknown) => this.#failed(name, waiting, error),
      );
  }

  #ended(name: string, { owner: key, offers }: Waiting, result: RunResult): void {
    this.#taken.delete(name);
    this.#failures.delete(name);
    // A turn uses up one offer. A turn that found no work, or that waits for approval, uses up all of them.
    const left = result === "ended" ? offers - 1 : 0;
    if (result !== "ended") this.#park(name, key, result === "waiting");
    else if (left > 0) this.#add(key, left);
    else this.#changed(key);
    this.#pump();
  }

  #failed(name: string, waiting: Waiting, error: unknown): void {
    this.#taken.delete(name);
    const { owner: key } = waiting;
    const failures = (this.#failures.get(name) ?? 0) + 1;
    const after = afterFailure(error, failures);
    if (after.kind === "gone" || this.#draining) {
      this.#failures.delete(name);
      this.#changed(key);
    } else if (after.kind === "held") this.#offerLater(name, waiting, after.againMs);
    else {
      this.#failures.set(name, failures);
      const isLast = failures >= MAX_FAILURES && !isPassing(error);
      const again = isLast ? {} : { again_in_ms: after.againMs };
      this.#options.log.error("A turn failed to run.", error, { conversation: key.conversation, ...again });
      if (isLast) this.#park(name, key, false);
      else this.#offerLater(name, waiting, after.againMs);
    }
    this.#pump();
  }

  #park(name: string, key: ConversationKey, isWaiting: boolean): void {
    this.#failures.delete(name);
    this.#parked.set(name, { isWaiting, seq: null });
    this.#changed(key);
  }

  #offerLater(name: string, { owner: key, offers }: Waiting, ms: number): void {
    const timer = setTimeout(() => {
      this.#later.delete(name);
      this.#add(key, offers);
    }, ms);
    timer.unref();
    this.#later.set(name, timer);
    this.#changed(key);
  }

  async #sweepOn(): Promise<void> {
    const began = performance.now();
    await this.#sweep();
    if (this.#draining) return;
    const pause = Math.max(this.#options.sweepMs ?? SWEEP_MS, SWEEP_REST * (performance.now() - began));
    this.#sweeper = setTimeout(() => void this.#sweepOn(), pause);
    this.#sweeper.unref();
  }

  /** Enqueues conversations that no worker is processing. Parked ones are enqueued again when they have changed. */
  async #sweep(): Promise<void> {
    try {
      const free: ConversationKey[] = [];
      const held: ConversationKey[] = [];
      const seen = new Set<string>();
      for await (const { key, last_seq, held_ms } of this.#options.unfinished()) {
        const name = scopeKey(key);
        seen.add(name);
        if (this.#isHere(name)) continue;
        const parked = this.#parked.get(name);
        if (parked !== undefined) await this.#noteParked(parked, key, last_seq);
        if (held_ms > 0) held.push(key);
        else if (parked === undefined || parked.seq !== last_seq) free.push(key);
      }
      for (const name of this.#parked.keys()) if (!seen.has(name)) this.#parked.delete(name);
      const left = this.#takeUp(free);
      const changed = this.#elsewhere.replace([
        ...held.map((key) => ({ key, status: "running" as const })),
        ...left.map((key) => ({ key, status: "queued" as const })),
      ]);
      for (const key of changed) if (!this.#isHere(scopeKey(key))) this.#changed(key);
    } catch (error) {
      if (!this.#draining) this.#options.log.error("Unfinished conversations could not be listed.", error);
    }
  }

  /**
   * Notes the seq of a parked conversation; when it changes, the conversation is enqueued again. Before the first
   * sweep, another process may have stored an approval, so conversations that wait for one are checked.
   */
  async #noteParked(parked: Parked, key: ConversationKey, seq: number): Promise<void> {
    if (parked.seq !== null) return;
    if (!parked.isWaiting || (await this.#options.isAsking(key, seq)) === true) parked.seq = seq;
  }

  /**
   * Enqueues as many conversations as there is room for, in round-robin order of tenants and users. Conversations of
   * one user are chosen at random, so that two processes with sweeps at the same time choose different ones. Returns
   * the conversations that were not enqueued.
   */
  #takeUp(free: readonly ConversationKey[]): readonly ConversationKey[] {
    const line = new FairLine<{ readonly owner: ConversationKey }>();
    for (const owner of shuffled(free)) line.add({ owner });
    const room = this.#room();
    const taken = new Set<ConversationKey>();
    for (;;) {
      const next = line.next((owner) => room.reached(owner) === null);
      if (next === null) break;
      room.take(next.owner);
      taken.add(next.owner);
      this.#add(next.owner, Number.POSITIVE_INFINITY);
    }
    return free.filter((key) => !taken.has(key));
  }

  #isHere(name: string): boolean {
    return this.#waiting.has(name) || this.#taken.has(name) || this.#later.has(name);
  }

  /** Conversations that may run or wait here, counted by owner. Of an owner above its share, only the share counts. */
  #room(): HeldShares {
    const room = new HeldShares(shareLimits(AHEAD * this.#options.concurrency, this.#options.shares));
    for (const { owner } of [...this.#taken.values(), ...this.#waiting.values()])
      if (room.reached(owner) === null) room.take(owner);
    return room;
  }

  #changed(key: ConversationKey): void {
    const status = this.#status(key);
    for (const listener of this.#listeners) listener(key, status);
  }
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
