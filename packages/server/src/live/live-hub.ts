/** Everything this process knows of conversations that are watched or run here, by conversation. */
import type { TurnSignal } from "@cairn/agent";
import { type ConversationKey, scopeKey } from "@cairn/store";
import { ConversationFeed, type FollowedStore } from "./conversation-feed.ts";
import type { GoingItem, LiveItem, Status } from "./live-item.ts";
import { Mailbox } from "./mailbox.ts";

const HEARTBEAT_MS = 15_000;

/** One follower's place in a conversation. */
export interface Following extends Disposable {
  readonly mailbox: Mailbox;
  /** Events behind this seq come into the mailbox; those up to it are read from the journal. */
  readonly seq: number;
  /** What is being written, how far tools are, and whether the model is waited for. */
  readonly openItems: () => readonly LiveItem[];
}

/** What goes on in a conversation's turn here; null: what had this name is over. */
export type ShareGoing = (key: ConversationKey, name: string, item: GoingItem | null) => void;

export class LiveHub {
  readonly #store: FollowedStore;
  readonly #share: ShareGoing;
  readonly #feeds = new Map<string, ConversationFeed>();
  readonly #heart: NodeJS.Timeout;

  constructor(store: FollowedStore, options: { readonly heartbeatMs?: number; readonly share?: ShareGoing } = {}) {
    this.#store = store;
    this.#share = options.share ?? (() => undefined);
    this.#heart = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS);
    this.#heart.unref();
  }

  get followers(): number {
    let count = 0;
    for (const feed of this.#feeds.values()) count += feed.followers;
    return count;
  }

  /** Throws `not_found` when there is no such conversation. */
  async follow(key: ConversationKey): Promise<Following> {
    const mailbox = new Mailbox();
    const feed = this.#feed(key);
    try {
      const seq = await feed.join(mailbox);
      return {
        mailbox,
        seq,
        openItems: () => feed.openItems(),
        [Symbol.dispose]: () => {
          feed.leave(mailbox);
          this.#forget(key, feed);
        },
      };
    } catch (error) {
      this.#forget(key, feed);
      throw error;
    }
  }

  openStreams(key: ConversationKey): readonly Extract<LiveItem, { type: "delta" }>[] {
    return this.#feeds.get(scopeKey(key))?.openStreams() ?? [];
  }

  /** A turn is about to run here. What it says goes to `hear` of the answer, until it is disposed of. */
  run(key: ConversationKey): { readonly hear: (signal: TurnSignal) => void } & Disposable {
    const feed = this.#feed(key);
    feed.beginRun();
    return {
      hear: (signal) => feed.hear(signal),
      [Symbol.dispose]: () => {
        feed.endRun();
        this.#forget(key, feed);
      },
    };
  }

  status(key: ConversationKey, status: Status, position?: number): void {
    this.#feeds.get(scopeKey(key))?.status(status, position);
  }

  /** What goes on in a turn of another process, for those who follow here. */
  hearElsewhere(key: ConversationKey, item: GoingItem): void {
    this.#feeds.get(scopeKey(key))?.hearElsewhere(item);
  }

  close(): void {
    clearInterval(this.#heart);
    for (const feed of this.#feeds.values()) feed.close();
  }

  #feed(key: ConversationKey): ConversationFeed {
    const name = scopeKey(key);
    const known = this.#feeds.get(name);
    if (known !== undefined) return known;
    const feed = new ConversationFeed(this.#store, key, (what, item) => this.#share(key, what, item));
    this.#feeds.set(name, feed);
    return feed;
  }

  #forget(key: ConversationKey, feed: ConversationFeed): void {
    const name = scopeKey(key);
    if (feed.isIdle && this.#feeds.get(name) === feed) this.#feeds.delete(name);
  }

  #beat(): void {
    const beat: LiveItem = { type: "heartbeat" };
    for (const feed of this.#feeds.values()) feed.heartbeat(beat);
  }
}
