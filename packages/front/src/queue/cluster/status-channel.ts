/**
 * Exchanges the status of conversations and the transient state of their turns between processes, with PostgreSQL's
 * notifications. After a reconnect, the status of recently active conversations is queried, and transient state is
 * repeated, so lost notifications do no harm.
 */
import { randomUUID } from "node:crypto";
import { type ConversationKey, scopeKey } from "@cairn/store";
import { closeConnection } from "@cairn/store/postgres";
import { z } from "zod";
import type { GoingItem, Status } from "../../live/live-item.ts";
import type { QueueDatabase } from "./queue-database.ts";

const CHANNEL = "cairn_standings";
const RECONNECT_MS = 250;
/** Maximum time between taking a job and holding the lease of its conversation. */
const TAKING_MS = 5_000;
/** A notification may have at most 8,000 bytes. */
const MAX_BYTES = 7_900;

const told = z.tuple([
  z.string(),
  z.union([
    z.enum(["idle", "queued", "running", "waiting"]),
    z.object({ type: z.literal("progress"), call_id: z.string(), text: z.string() }),
    z.object({ type: z.literal("waiting"), reason: z.string(), ms: z.number() }),
    z.object({ type: z.literal("compacting"), before_tokens: z.number() }),
  ]),
  z.object({ tenant: z.string(), project: z.string(), user: z.string(), conversation: z.string() }),
]);

export interface StandingChannelParts {
  readonly database: QueueDatabase;
  readonly hear: (key: ConversationKey, status: Status) => void;
  readonly hearGoing: (key: ConversationKey, item: GoingItem) => void;
  readonly status: (key: ConversationKey) => Promise<Status>;
}

interface Heard {
  readonly key: ConversationKey;
  readonly status: Status;
  readonly at: number;
}

export class StatusChannel {
  readonly #parts: StandingChannelParts;
  readonly #me = randomUUID();
  /** Conversations whose last known status was not idle; empty if this process does not listen. */
  readonly #active = new Map<string, Heard>();
  #telling = new Map<string, string>();
  #listener: ReturnType<QueueDatabase["makeListener"]> | null = null;
  #isListening = false;
  #isOver = false;

  constructor(parts: StandingChannelParts) {
    this.#parts = parts;
  }

  /** Changes at the same moment are sent in one message, which contains only the last change of each conversation. */
  tell(key: ConversationKey, status: Status): void {
    if (this.#isOver) return;
    this.#note(key, status);
    const [text] = this.#spell(status, key);
    if (text === undefined) return;
    if (this.#telling.size === 0) setImmediate(() => void this.#sendTelling());
    this.#telling.set(scopeKey(key), text);
  }

  /** Publishes the transient state of turns in this process. */
  async tellGoing(items: readonly { readonly key: ConversationKey; readonly item: GoingItem }[]): Promise<void> {
    if (!this.#isOver) await this.#send(items.flatMap(({ key, item }) => this.#spell(item, key)));
  }

  /** Whether another process reported a moment ago that it runs this conversation. */
  isTakenUp(key: ConversationKey): boolean {
    const heard = this.#active.get(scopeKey(key));
    return heard?.status === "running" && performance.now() - heard.at < TAKING_MS;
  }

  /** Starts to receive notifications. */
  listen(): void {
    this.#isListening = true;
    void this.#listen();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    const listener = this.#listener;
    this.#listener = null;
    if (listener !== null) await closeConnection(listener).catch(() => undefined);
  }

  /** Writes the notification; null if it would be too long. */
  #spell(what: Status | GoingItem, key: ConversationKey): readonly string[] {
    const text = JSON.stringify([this.#me, what, key] satisfies z.infer<typeof told>);
    return Buffer.byteLength(text) > MAX_BYTES ? [] : [text];
  }

  async #sendTelling(): Promise<void> {
    const texts = [...this.#telling.values()];
    this.#telling = new Map();
    await this.#send(texts);
  }

  async #send(texts: readonly string[]): Promise<void> {
    try {
      const { pool } = this.#parts.database;
      await pool.query("SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text", [CHANNEL, texts]);
    } catch {
      // The database is unavailable. Other processes query the status when it is back.
    }
  }

  async #listen(): Promise<void> {
    if (this.#isOver) return;
    const listener = this.#parts.database.makeListener();
    this.#listener = listener;
    const isBack = this.#active.size > 0;
    let isGone = false;
    const again = () => {
      if (isGone || this.#isOver) return;
      isGone = true;
      this.#listener = null;
      // The connection is still open if it was rejected or does not answer, so it is closed.
      closeConnection(listener).catch(() => undefined);
      setTimeout(() => void this.#listen(), RECONNECT_MS).unref();
    };
    listener.on("error", again);
    listener.on("end", again);
    listener.on("notification", ({ payload }) => this.#take(payload ?? ""));
    try {
      await listener.connect();
      this.#parts.database.watch(listener);
      await listener.query(`LISTEN ${CHANNEL}`);
      if (isBack) await this.#askAgain();
    } catch {
      again();
    }
  }

  #take(payload: string): void {
    let json: unknown;
    try {
      json = JSON.parse(payload);
    } catch {
      return;
    }
    const heard = told.safeParse(json).data;
    if (heard === undefined || heard[0] === this.#me) return;
    const [, what, key] = heard;
    if (typeof what === "string") {
      this.#note(key, what);
      this.#parts.hear(key, what);
    } else this.#parts.hearGoing(key, what);
  }

  #note(key: ConversationKey, status: Status): void {
    if (status === "idle") this.#active.delete(scopeKey(key));
    else if (this.#isListening) this.#active.set(scopeKey(key), { key, status, at: performance.now() });
  }

  async #askAgain(): Promise<void> {
    await Promise.all(
      [...this.#active.values()].map(async ({ key, status }) => {
        const now = await this.#parts.status(key);
        if (now === status) return;
        this.#note(key, now);
        this.#parts.hear(key, now);
      }),
    );
  }
}
