/** The live feeds of all conversations that are followed or run in this process. */
import { HeldShares, type ShareLimits, type TurnSignal } from "@cairn/agent";
import { type ConversationKey, scopeKey } from "@cairn/store";
import { overShare } from "../shares/over-share.ts";
import { ConversationFeed, type FollowedStore } from "./conversation-feed.ts";
import type { GoingItem, LiveItem, Status } from "./live-item.ts";
import { Mailbox } from "./mailbox.ts";

const HEARTBEAT_MS = 15_000;
const RETRY_SECONDS = 5;
const UNLIMITED = { user: Infinity, tenant: Infinity, total: Infinity };

/** The subscription of one follower to a conversation. */
export interface Following extends Disposable {
  readonly mailbox: Mailbox;
  /** Events after this seq arrive in the mailbox; the follower reads earlier events from the journal. */
  readonly seq: number;
  /** Text that is being written, progress of tools, and waiting for the model. */
  readonly openItems: () => readonly LiveItem[];
}

/** Receives transient state of a turn in this process, by name; null when the state ends. */
export type ShareGoing = (key: ConversationKey, name: string, item: GoingItem | null) => void;

export interface LiveHubOptions {
  readonly heartbeatMs?: number;
  readonly share?: ShareGoing;
  /** Maximum number of followers of one user and of one tenant; unlimited if not set. */
  readonly followers?: ShareLimits;
}

export class LiveHub {
  readonly #store: FollowedStore;
  readonly #share: ShareGoing;
  readonly #feeds = new Map<string, ConversationFeed>();
  readonly #heart: NodeJS.Timeout;
  readonly #held: HeldShares;

  constructor(store: FollowedStore, options: LiveHubOptions = {}) {
    this.#store = store;
    this.#share = options.share ?? (() => undefined);
    this.#held = new HeldShares(options.followers ?? UNLIMITED);
    this.#heart = setInterval(() => this.#beat(), options.heartbeatMs ?? HEARTBEAT_MS);
    this.#heart.unref();
  }

  get followers(): number {
    return this.#held.total;
  }

  /** Throws `not_found` and `over_share`. A follower that replaces another one (`replaces`) uses the other's share. */
  async follow(key: ConversationKey, replaces: Following | null = null): Promise<Following> {
    const reached = this.#held.reached(key);
    if (reached !== null && replaces === null) throw overShare("followers", reached, RETRY_SECONDS);
    this.#held.take(key);
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#held.give(key);
      isHeld = false;
    };
    const mailbox = new Mailbox();
    const feed = this.#feed(key);
    try {
      const seq = await feed.join(mailbox);
      return {
        mailbox,
        seq,
        openItems: () => feed.openItems(),
        [Symbol.dispose]: () => {
          release();
          mailbox.close();
          feed.leave(mailbox);
          this.#forget(key, feed);
        },
      };
    } catch (error) {
      release();
      this.#forget(key, feed);
      throw error;
    }
  }

  openStreams(key: ConversationKey): readonly Extract<LiveItem, { type: "delta" }>[] {
    return this.#feeds.get(scopeKey(key))?.openStreams() ?? [];
  }

  /** Announces a turn in this process. Pass its signals to `hear` of the result until the result is disposed. */
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

  /** Passes transient state of a turn in another process to the followers in this process. */
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
