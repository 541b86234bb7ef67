/**
 * Wakes followers by PostgreSQL's notifications.
 *
 * A change is announced after its commit, by a separate statement that many changes share. With an announcement inside
 * the transaction, every commit of the cluster would queue for one lock. If the announcing process dies in between, or
 * a connection breaks, a poll of the awaited conversations finds the change a second later. The listening connection is
 * queried from time to time, because a connection can be cut without any notice.
 */
import type pg from "pg";
import type { ChangeFeed } from "../sql/change-feed.ts";
import { Waiters } from "../sql/waiters.ts";
import { closeConnection } from "./close-connection.ts";

const CHANNEL = "cairn_changes";
/** Interval between polls of the awaited conversations. */
const LOOK_MS = 1_000;
const RECONNECT_MS = 250;
/** Interval between checks of the listening connection, and the timeout of such a check. */
const ASK_EVERY_MS = 10_000;
/** Timeout of a poll; the next one follows soon. */
const PATIENCE_MS = 5_000;
/** Conversations per notification, which may have at most 8,000 bytes. */
const MAX_IN_ONE = 400;

export interface FeedConnections {
  readonly pool: pg.Pool;
  /** Makes a separate connection, not connected yet, which listens for the lifetime of the feed. */
  readonly makeListener: () => pg.Client;
}

export class NotificationFeed implements ChangeFeed {
  readonly #connections: FeedConnections;
  readonly #waiters = new Waiters();
  readonly #announcing = new Set<number>();
  #listener: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  #closed = false;

  constructor(connections: FeedConnections) {
    this.#connections = connections;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  notify(conversation: number): void {
    this.#waiters.wake(conversation);
    if (this.#announcing.size === 0) setImmediate(() => void this.#announce());
    this.#announcing.add(conversation);
  }

  async wait(conversation: number, after: number, signal: AbortSignal | undefined): Promise<boolean> {
    const isOver = () => this.#closed || signal?.aborted === true;
    if (isOver()) return false;
    this.#start();
    const asleep = this.#waiters.sleep(conversation, after, signal);
    // A change between the follower's read and its wait is not announced again, so the conversation is polled once.
    await this.#look([conversation]);
    await asleep;
    return !isOver();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#waiters.wakeAll();
    const listener = this.#listener;
    this.#listener = null;
    if (listener !== null) await closeConnection(listener);
  }

  async #announce(): Promise<void> {
    const conversations = [...this.#announcing];
    this.#announcing.clear();
    for (let at = 0; at < conversations.length && !this.#closed; at += MAX_IN_ONE)
      try {
        const payload = conversations.slice(at, at + MAX_IN_ONE).join(" ");
        await this.#connections.pool.query(hasty("SELECT pg_notify($1, $2)", [CHANNEL, payload]));
      } catch {
        // Other processes find the change by polling; this process already knows it.
      }
  }

  /** Listening begins with the first follower, so a process that only writes needs no extra connection. */
  #start(): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setInterval(() => void this.#lookAtAll(), LOOK_MS);
    this.#timer.unref();
    void this.#listen();
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    const listener = this.#connections.makeListener();
    this.#listener = listener;
    const asking = setInterval(() => void this.#ask(listener, again), ASK_EVERY_MS);
    asking.unref();
    let isOver = false;
    const again = () => {
      clearInterval(asking);
      if (isOver || this.#closed) return;
      isOver = true;
      this.#listener = null;
      // Closes the connection, which is still open if it was rejected or does not answer.
      closeConnection(listener).catch(() => undefined);
      setTimeout(() => void this.#listen(), RECONNECT_MS).unref();
    };
    listener.on("error", again);
    listener.on("end", again);
    listener.on("notification", ({ payload }) => {
      for (const id of (payload ?? "").split(" ")) if (/^\d+$/.test(id)) this.#waiters.wake(Number(id));
    });
    try {
      await listener.connect();
      await listener.query(hasty(`LISTEN ${CHANNEL}`));
      // Events announced before this connection existed were not received, so the conversations are polled once.
      await this.#lookAtAll();
    } catch {
      again();
    }
  }

  async #ask(listener: pg.Client, again: () => void): Promise<void> {
    try {
      await listener.query(hasty("SELECT 1"));
    } catch {
      // Every error leads to another attempt, because the next one may succeed.
      again();
    }
  }

  async #look(conversations: readonly number[]): Promise<void> {
    try {
      const { rows } = await this.#connections.pool.query<{ id: number; last_seq: number }>(
        hasty("SELECT id, last_seq FROM conversations WHERE id = ANY($1::bigint[]) AND stage = 0", [conversations]),
      );
      this.#waiters.wakeConcerned(conversations, new Map(rows.map(({ id, last_seq }) => [id, last_seq])));
    } catch {
      // The server is away; the next poll finds the missed changes.
    }
  }

  async #lookAtAll(): Promise<void> {
    if (this.#looking || this.#waiters.isEmpty) return;
    this.#looking = true;
    await this.#look(this.#waiters.conversations);
    this.#looking = false;
  }
}

/** A query with a timeout, after which its answer is not needed any more. The driver's types lack this option. */
function hasty(text: string, values: readonly unknown[] = []): pg.QueryConfig {
  return Object.assign({ text, values: [...values] }, { query_timeout: PATIENCE_MS });
}
