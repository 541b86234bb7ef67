/**
 * The queue of one process: conversations wait in the order they came, so many run at once, and of one conversation
 * never more than one turn. After a turn a conversation with more to do goes to the end, so that nobody is starved.
 *
 * Other processes may share the store. A conversation that one of them runs is offered again when its lease may have
 * run out, and every so often all unfinished conversations of the store are offered: that is how the work of a process
 * that died is found.
 */
import { setTimeout as wait } from "node:timers/promises";
import { type ConversationKey, scopeKey, type UnfinishedConversation } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Log } from "../telemetry/log.ts";
import type { RunConversation, RunResult, Standing, TurnQueue } from "./turn-queue.ts";

export interface EmbeddedQueueOptions {
  readonly concurrency: number;
  /** Conversations that may wait. */
  readonly most: number;
  readonly log: Log;
  /** Everything of the store that has something to do. */
  readonly unfinished: () => AsyncIterable<UnfinishedConversation>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sweepMs?: number;
}

interface Waiting {
  readonly key: ConversationKey;
  /** How many messages and decisions came since it was last idle; a turn takes up one of them at least. */
  offers: number;
}

interface Running extends Waiting {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

const SWEEP_MS = 2_000;
const LOOK_AGAIN_MS = 500;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 30_000;
/** After so many failures in a row it is left alone until something happens to it, or the server starts anew. */
const MOST_FAILURES = 10;

export class EmbeddedTurnQueue implements TurnQueue {
  readonly #options: EmbeddedQueueOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, Running>();
  /** Conversations to be offered again later. */
  readonly #later = new Map<string, NodeJS.Timeout>();
  /** How often a conversation could not be run, in a row. */
  readonly #failures = new Map<string, number>();
  /** Conversations in which nothing can be done for now, such as while a person is asked, with their last seq then. */
  readonly #parked = new Map<string, { readonly isWaiting: boolean; seq: number | null }>();
  readonly #listeners: ((key: ConversationKey, standing: Standing) => void)[] = [];
  #run: RunConversation | null = null;
  #sweeper: NodeJS.Timeout | null = null;
  #draining = false;

  constructor(options: EmbeddedQueueOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  start(run: RunConversation): void {
    this.#run = run;
    this.#sweeper = setInterval(() => void this.#sweep(), this.#options.sweepMs ?? SWEEP_MS);
    this.#sweeper.unref();
    void this.#sweep();
    this.#pump();
  }

  admit(key: ConversationKey): void {
    if (this.#draining)
      throw new CairnError("draining", "The server is about to stop. Send the message again in a moment.");
    const name = scopeKey(key);
    if (this.#waiting.has(name) || this.#running.has(name) || this.#waiting.size < this.#options.most) return;
    throw new CairnError("queue_full", "The server has more to do than it can take. Send the message again later.", {
      waiting: this.#waiting.size,
    });
  }

  offer(key: ConversationKey): void {
    this.#add(key, 1);
  }

  standing(key: ConversationKey): Standing {
    const name = scopeKey(key);
    if (this.#running.has(name)) return { status: "running" };
    if (this.#parked.get(name)?.isWaiting === true) return { status: "waiting" };
    if (this.#later.has(name)) return { status: "queued" };
    if (!this.#waiting.has(name)) return { status: "idle" };
    let position = 0;
    for (const other of this.#waiting.keys()) {
      if (other === name) break;
      position++;
    }
    return { status: "queued", position };
  }

  onChange(listener: (key: ConversationKey, standing: Standing) => void): void {
    this.#listeners.push(listener);
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    if (this.#sweeper !== null) clearInterval(this.#sweeper);
    for (const timer of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
    this.#waiting.clear();
    const all = () => Promise.all([...this.#running.values()].map(({ done }) => done));
    const patience = new AbortController();
    const grace = wait(graceMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([all(), grace]);
    patience.abort();
    for (const { stop } of this.#running.values())
      stop.abort(new CairnError("draining", "The server stops; the turn goes on at the next start."));
    await all();
  }

  #add(key: ConversationKey, offers: number): void {
    if (this.#draining) return;
    const name = scopeKey(key);
    const there = this.#running.get(name) ?? this.#waiting.get(name);
    if (there !== undefined) {
      there.offers += offers;
      return;
    }
    this.#parked.delete(name);
    clearTimeout(this.#later.get(name));
    this.#later.delete(name);
    this.#waiting.set(name, { key, offers });
    this.#changed(key);
    this.#pump();
  }

  #pump(): void {
    const run = this.#run;
    if (run === null) return;
    for (const [name, waiting] of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return;
      this.#waiting.delete(name);
      this.#begin(name, waiting, run);
    }
  }

  #begin(name: string, { key, offers }: Waiting, run: RunConversation): void {
    const stop = new AbortController();
    // The map has the conversation before its turn runs, so that offers that come at once are counted.
    const started = Promise.withResolvers<void>();
    const done = started.promise
      .then(() => run(key, stop.signal))
      .then(
        (result) => this.#ended(name, result),
        (error: unknown) => this.#failed(name, error),
      );
    this.#running.set(name, { key, offers, stop, done });
    this.#changed(key);
    started.resolve();
  }

  #ended(name: string, result: RunResult): void {
    const running = this.#leave(name);
    this.#failures.delete(name);
    if (running === undefined) return;
    // A turn takes up one offer; one that found nothing, or waits for a person, has seen all that were there.
    const left = result === "ended" ? running.offers - 1 : 0;
    if (result !== "ended") this.#park(name, running.key, result === "waiting");
    else if (left > 0) this.#add(running.key, left);
    else this.#changed(running.key);
    this.#pump();
  }

  #failed(name: string, error: unknown): void {
    const running = this.#leave(name);
    if (running === undefined) return;
    const { key } = running;
    const code = CairnError.is(error) ? error.code : "";
    if (code === "not_found" || this.#draining) {
      this.#failures.delete(name);
      this.#changed(key);
    } else if (code === "lease_held" || code === "lease_lost") this.#offerLater(name, running, LOOK_AGAIN_MS);
    else {
      const failures = (this.#failures.get(name) ?? 0) + 1;
      this.#failures.set(name, failures);
      const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
      const isLast = failures >= MOST_FAILURES;
      const again = isLast ? {} : { again_in_ms: ms };
      this.#options.log.error("A turn could not be run.", error, { conversation: key.conversation, ...again });
      if (isLast) this.#park(name, key, false);
      else this.#offerLater(name, running, ms);
    }
    this.#pump();
  }

  #park(name: string, key: ConversationKey, isWaiting: boolean): void {
    this.#failures.delete(name);
    this.#parked.set(name, { isWaiting, seq: null });
    this.#changed(key);
  }

  #leave(name: string): Running | undefined {
    const running = this.#running.get(name);
    this.#running.delete(name);
    return running;
  }

  #offerLater(name: string, { key, offers }: Waiting, ms: number): void {
    const timer = setTimeout(() => {
      this.#later.delete(name);
      this.#add(key, offers);
    }, ms);
    timer.unref();
    this.#later.set(name, timer);
    this.#changed(key);
  }

  /** Offers what nobody is at. What is parked is offered again when something has happened to it since. */
  async #sweep(): Promise<void> {
    try {
      const seen = new Set<string>();
      for await (const { key, last_seq, held_until } of this.#options.unfinished()) {
        const name = scopeKey(key);
        seen.add(name);
        const isKnown = this.#waiting.has(name) || this.#running.has(name) || this.#later.has(name);
        if (isKnown || (held_until !== null && held_until > this.#options.now())) continue;
        const parked = this.#parked.get(name);
        if (parked !== undefined) parked.seq ??= last_seq;
        if (parked === undefined || parked.seq !== last_seq) this.#add(key, Number.POSITIVE_INFINITY);
      }
      for (const name of this.#parked.keys()) if (!seen.has(name)) this.#parked.delete(name);
    } catch (error) {
      if (!this.#draining) this.#options.log.error("Unfinished conversations could not be listed.", error);
    }
  }

  #changed(key: ConversationKey): void {
    const standing = this.standing(key);
    for (const listener of this.#listeners) listener(key, standing);
  }
}
