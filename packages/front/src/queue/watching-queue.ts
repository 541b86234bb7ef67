/**
 * The queue of a process that runs no turns, on a data folder. It accepts messages, which other processes find in the
 * journals. It polls the store for the number of waiting conversations and their status.
 */
import { HeldShares, type ShareLimits } from "@cairn/agent";
import { type ConversationKey, scopeKey, type UnfinishedConversation } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Log } from "../telemetry/log.ts";
import { queueFull } from "./queue-full.ts";
import { SeenElsewhere } from "./seen-elsewhere.ts";
import type { QueueStatus, TurnQueue } from "./turn-queue.ts";

export interface WatchingQueueOptions {
  /** Maximum number of waiting conversations in the whole store. */
  readonly limits: ShareLimits;
  readonly log: Log;
  readonly unfinished: () => AsyncIterable<UnfinishedConversation>;
  /** Whether the conversation waits for an approval; null if its last event is no longer `seq`. */
  readonly isAsking: (key: ConversationKey, seq: number) => Promise<boolean | null>;
}

const LOOK_MS = 1_000;
/** A long poll is followed by a pause of this many times its duration. */
const LOOK_REST = 10;

interface Idle {
  readonly seq: number;
  /** Whether it waits for approval. Null until two polls found the same seq: a process may be taking it. */
  readonly isAsking: boolean | null;
}

export class WatchingQueue implements TurnQueue {
  readonly running = 0;
  readonly #options: WatchingQueueOptions;
  readonly #elsewhere = new SeenElsewhere();
  readonly #listeners: ((key: ConversationKey, status: QueueStatus) => void)[] = [];
  /** Unfinished conversations that no process is running, by name. */
  #idle = new Map<string, Idle>();
  #waiting: HeldShares;
  #timer: NodeJS.Timeout | null = null;
  #draining = false;

  constructor(options: WatchingQueueOptions) {
    this.#options = options;
    this.#waiting = new HeldShares(options.limits);
  }

  get waiting(): number {
    return this.#waiting.total;
  }

  start(): void {
    void this.#lookOn();
  }

  async admit(key: ConversationKey): Promise<void> {
    if (this.#draining)
      throw new CairnError(
        "draining",
        "This process is stopping and takes no messages. Send the message again in a moment.",
      );
    const reached = this.#waiting.reached(key);
    if (reached !== null && this.#elsewhere.statusOf(key) === "idle") throw queueFull(reached);
  }

  async offer(key: ConversationKey): Promise<void> {
    if (this.#elsewhere.statusOf(key) === "running") return;
    if (this.#elsewhere.statusOf(key) === "idle") this.#waiting.take(key);
    this.#elsewhere.note(key, "queued");
    this.#tell(key);
  }

  async status(key: ConversationKey): Promise<QueueStatus> {
    return { status: this.#elsewhere.statusOf(key) };
  }

  onChange(listener: (key: ConversationKey, status: QueueStatus) => void): void {
    this.#listeners.push(listener);
  }

  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #lookOn(): Promise<void> {
    const began = performance.now();
    try {
      await this.#look();
    } catch (error) {
      if (!this.#draining) this.#options.log.error("Unfinished conversations could not be listed.", error);
    }
    if (this.#draining) return;
    const pause = Math.max(LOOK_MS, LOOK_REST * (performance.now() - began));
    this.#timer = setTimeout(() => void this.#lookOn(), pause);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const found: { readonly key: ConversationKey; readonly status: QueueStatus["status"] }[] = [];
    const idle = new Map<string, Idle>();
    for await (const { key, last_seq, held_ms } of this.#options.unfinished()) {
      if (held_ms > 0) found.push({ key, status: "running" });
      else {
        const isAsking = await this.#isAsking(key, last_seq);
        idle.set(scopeKey(key), { seq: last_seq, isAsking });
        found.push({ key, status: isAsking === true ? "waiting" : "queued" });
      }
    }
    this.#idle = idle;
    this.#waiting = new HeldShares(this.#options.limits);
    for (const { key, status } of found) if (status === "queued") this.#waiting.take(key);
    for (const key of this.#elsewhere.replace(found)) this.#tell(key);
  }

  /** Whether a call waits for approval, which is checked once for each seq of a conversation. */
  async #isAsking(key: ConversationKey, seq: number): Promise<boolean | null> {
    const before = this.#idle.get(scopeKey(key));
    if (before?.seq !== seq) return null;
    return before.isAsking ?? (await this.#options.isAsking(key, seq));
  }

  #tell(key: ConversationKey): void {
    for (const listener of this.#listeners) listener(key, { status: this.#elsewhere.statusOf(key) });
  }
}
