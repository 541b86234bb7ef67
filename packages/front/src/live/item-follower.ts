/**
 * Follows one conversation from a seq on, without a gap. First come missed events from the journal, then the text that
 * is being written, and then live items. A reader that is too slow for its mailbox begins again at its last seq.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { Following, LiveHub } from "./live-hub.ts";
import type { LiveItem } from "./live-item.ts";
import { missedEvents } from "./missed-events.ts";

interface FollowerParts {
  readonly store: ConversationStore;
  readonly live: LiveHub;
}

export class ItemFollower implements Disposable {
  readonly #parts: FollowerParts;
  readonly #key: ConversationKey;
  #following: Following;
  #seq: number;
  #isClosed = false;

  private constructor(parts: FollowerParts, key: ConversationKey, following: Following, seq: number) {
    this.#parts = parts;
    this.#key = key;
    this.#following = following;
    this.#seq = seq;
  }

  /** Follows the events after `seq`. Throws `not_found` and `over_share`. */
  static async open(parts: FollowerParts, key: ConversationKey, seq: number): Promise<ItemFollower> {
    return new ItemFollower(parts, key, await parts.live.follow(key), seq);
  }

  /**
   * The items in batches. The iteration ends when the process closes its streams.
   *
   * `openStreams`: the streams that the reader shows and that are in no block yet.
   */
  async *batches(openStreams: () => readonly string[]): AsyncGenerator<ItemBatch, void, undefined> {
    do yield* this.#goOn(openStreams);
    while (await this.#followAnew());
  }

  /** Ends `batches`, even while it waits. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#following[Symbol.dispose]();
  }

  async *#goOn(openStreams: () => readonly string[]): AsyncGenerator<ItemBatch, void, undefined> {
    const { mailbox, openItems, seq } = this.#following;
    for await (const events of missedEvents(this.#parts.store, this.#key, this.#seq, seq)) {
      this.#seq = events.at(-1)?.seq ?? this.#seq;
      yield { items: events.map((stored): LiveItem => ({ type: "event", stored })), isCaughtUp: false };
    }
    const waiting = mailbox.take().filter(({ type }) => type !== "delta");
    this.#note(waiting);
    yield { items: waiting, isCaughtUp: false };
    const open = openItems();
    const isWritten = new Set(open.map((item) => (item.type === "delta" ? item.stream : "")));
    // The shown text was discarded, because it is in no block and is no longer being written.
    const lost = openStreams().filter((stream) => !isWritten.has(stream));
    yield { items: [...lost.map((stream): LiveItem => ({ type: "discarded", stream })), ...open], isCaughtUp: true };
    for (let items = await mailbox.wait(); items !== null; items = await mailbox.wait()) {
      this.#note(items);
      yield { items, isCaughtUp: true };
    }
  }

  #note(items: readonly LiveItem[]): void {
    for (const item of items) if (item.type === "event") this.#seq = item.stored.seq;
  }

  /** Begins again after the reader was too slow; false if the reader left or the process closes its streams. */
  async #followAnew(): Promise<boolean> {
    const before = this.#following;
    if (!before.mailbox.isLagging || this.#isClosed) return false;
    this.#following = await this.#parts.live.follow(this.#key, before);
    before[Symbol.dispose]();
    if (this.#isClosed) this[Symbol.dispose]();
    return !this.#isClosed;
  }
}

export interface ItemBatch {
  readonly items: readonly LiveItem[];
  /** Whether all earlier events were delivered. */
  readonly isCaughtUp: boolean;
}
