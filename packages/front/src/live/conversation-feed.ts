/**
 * The live feed of one conversation in this process. It follows the journal once for all followers, and the text that
 * is being written. Turns of this process report their text directly. Turns of other processes save their text in the
 * store, which is polled while there are followers.
 */
import { readStreamName, type TurnSignal } from "@cairn/agent";
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import type { TimelineEvent } from "@cairn/timeline";
import { type GoingItem, type LiveItem, type Status, sizeOfItem } from "./live-item.ts";
import type { Mailbox } from "./mailbox.ts";

/** Poll interval for the text of turns in other processes. */
const LOOK_EVERY_MS = 200;

/** The key of the state "waiting for the model". No call id contains a space. */
const WAITING = " waiting";
const COMPACTING = " compacting";

/** The parts of a store that the feed needs. */
export type FollowedStore = Pick<ConversationStore, "getConversation" | "follow" | "openStreams">;

type Delta = Extract<LiveItem, { type: "delta" }>;

export class ConversationFeed {
  readonly #store: FollowedStore;
  readonly #key: ConversationKey;
  readonly #share: (name: string, item: GoingItem | null) => void;
  readonly #mailboxes = new Set<Mailbox>();
  /** The text of each open stream so far. */
  readonly #open = new Map<string, Delta>();
  /** Transient state for new followers: progress of tools, and "waiting for the model". */
  readonly #going = new Map<string, GoingItem>();
  /** Streams that have ended, which followers learn after the event with this seq. */
  #ending: { readonly seq: number; readonly streams: readonly string[] }[] = [];
  #following: AbortController | null = null;
  #started: Promise<void> | null = null;
  #joining = 0;
  #looking: NodeJS.Timeout | null = null;
  #isLooking = false;
  #seq = 0;
  /** Number of runs in this process that run a turn or will soon run one. */
  #runners = 0;
  /** Whether a turn runs in this process. A run that finds another process at work on the turn sends no signals. */
  #isLocal = false;
  #isTurnOpen = false;

  /** `share` receives the transient state of a turn in this process; null when this state ends. */
  constructor(
    store: FollowedStore,
    key: ConversationKey,
    share: (name: string, item: GoingItem | null) => void = () => undefined,
  ) {
    this.#store = store;
    this.#key = key;
    this.#share = share;
  }

  /** Whether the feed can be dropped, because it has no followers and no text is being written. */
  get isIdle(): boolean {
    return this.#mailboxes.size === 0 && this.#joining === 0 && this.#open.size === 0 && this.#runners === 0;
  }

  /** Adds a follower; returns the seq after which it receives events directly. */
  async join(mailbox: Mailbox): Promise<number> {
    this.#joining++;
    try {
      this.#started ??= this.#start();
      await this.#started;
    } catch (error) {
      this.#started = null;
      throw error;
    } finally {
      this.#joining--;
    }
    this.#mailboxes.add(mailbox);
    return this.#seq;
  }

  leave(mailbox: Mailbox): void {
    this.#mailboxes.delete(mailbox);
    if (this.#mailboxes.size > 0 || this.#joining > 0) return;
    this.#following?.abort();
    this.#following = null;
    this.#started = null;
    this.#stopLooking();
    if (this.#isLocal) return;
    this.#open.clear();
    this.#going.clear();
  }

  /** The whole text of every open stream, as deltas from its beginning. */
  openStreams(): readonly Delta[] {
    return [...this.#open.values()];
  }

  /** All transient state, for a new follower. */
  openItems(): readonly LiveItem[] {
    return [...this.#open.values(), ...this.#going.values()];
  }

  status(status: Status, position?: number): void {
    this.#tell({ type: "status", status, ...(position === undefined ? {} : { queue_position: position }) });
  }

  /** Called when this process is about to run a turn. Another process may already run the same turn. */
  beginRun(): void {
    this.#runners++;
  }

  /** Drops the unfinished text of the turn, because the next attempt writes it again, maybe in another process. */
  endRun(): void {
    this.#runners--;
    if (!this.#isLocal || this.#runners > 0) return;
    this.#isLocal = false;
    for (const stream of this.#open.keys()) this.#tell({ type: "discarded", stream });
    this.#open.clear();
    this.#endAll();
    if (this.#following !== null && this.#isTurnOpen) this.#keepLooking();
  }

  /** Handles a signal of a turn in this process. */
  hear(signal: TurnSignal): void {
    if (!this.#isLocal) {
      this.#isLocal = true;
      this.#stopLooking();
      this.#open.clear();
      this.#going.clear();
    }
    switch (signal.type) {
      case "delta": {
        const { type: _, ...delta } = signal;
        this.#end(WAITING);
        this.#write({ type: "delta", turn_id: readStreamName(delta.stream)?.turnId ?? null, ...delta });
        break;
      }
      case "discarded":
        this.#open.delete(signal.stream);
        this.#tell({ type: "discarded", stream: signal.stream });
        break;
      case "progress":
        this.#goOn({ type: "progress", call_id: signal.callId, text: signal.text });
        break;
      case "waiting":
        this.#goOn({ type: "waiting", reason: signal.reason, ms: signal.ms });
        break;
      case "on_before_compaction":
        this.#goOn({ type: "compacting", before_tokens: signal.before_tokens });
        break;
      case "on_after_compaction":
        // No item is sent, because the event in the journal reports the compaction with its numbers.
        break;
      case "events":
        for (const event of signal.events) this.#endWith(event);
        for (const stream of signal.streams) this.#open.delete(stream);
        this.#ending.push({ seq: signal.lastSeq, streams: signal.streams });
        this.#endStreams();
    }
  }

  /** Handles transient state of a turn in another process. Ignored if repeated, or while a turn runs here. */
  hearElsewhere(item: GoingItem): void {
    if (this.#isLocal || this.#mailboxes.size === 0) return;
    const name = nameOf(item);
    const isNews = JSON.stringify(this.#going.get(name)) !== JSON.stringify(item);
    // State of a turn that has already ended is not kept for new followers.
    if (this.#isTurnOpen) this.#going.set(name, item);
    if (isNews) this.#tell(item);
  }

  heartbeat(item: LiveItem): void {
    this.#tell(item);
  }

  close(): void {
    for (const mailbox of [...this.#mailboxes]) {
      mailbox.close();
      this.leave(mailbox);
    }
  }

  async #start(): Promise<void> {
    const { last_seq, open_turn } = await this.#store.getConversation(this.#key);
    this.#seq = last_seq;
    this.#isTurnOpen = open_turn !== null;
    const following = new AbortController();
    this.#following = following;
    this.#follow(following);
    if (this.#isLocal || open_turn === null) return;
    await this.#look();
    this.#keepLooking();
  }

  #goOn(item: GoingItem): void {
    this.#going.set(nameOf(item), item);
    this.#tell(item);
    this.#share(nameOf(item), item);
  }

  #end(name: string): void {
    if (this.#going.delete(name) && this.#isLocal) this.#share(name, null);
  }

  #endAll(): void {
    for (const name of [...this.#going.keys()]) {
      this.#going.delete(name);
      this.#share(name, null);
    }
  }

  /** An event of the turn ends its wait for the model, and the end of a call ends the progress of this call. */
  #endWith(event: TimelineEvent): void {
    this.#end(WAITING);
    if ("unknown" in event) return;
    if (event.kind === "call.settled") this.#end(event.body.call_id);
    if (event.kind === "compaction.committed") this.#end(COMPACTING);
  }

  #tell(item: LiveItem): void {
    if (this.#mailboxes.size === 0) return;
    const size = sizeOfItem(item);
    for (const mailbox of this.#mailboxes) mailbox.put(item, size);
  }

  #write(delta: Delta): void {
    const before = this.#open.get(delta.stream);
    const text = (before?.text ?? "").slice(0, delta.offset) + delta.text;
    this.#open.set(delta.stream, { ...delta, offset: 0, text });
    this.#tell(delta);
  }

  #endStreams(): void {
    if (this.#mailboxes.size === 0) this.#ending = [];
    while (this.#ending[0] !== undefined && this.#ending[0].seq <= this.#seq)
      for (const stream of this.#ending.shift()?.streams ?? []) this.#tell({ type: "ended", stream });
  }

  #follow(following: AbortController): void {
    const run = async () => {
      for await (const stored of this.#store.follow(this.#key, { after: this.#seq, signal: following.signal }))
        this.#see(stored);
    };
    // The conversation was deleted, or the store failed. Clients reconnect and then get the reason.
    run().catch(() => {
      if (!following.signal.aborted) this.close();
    });
  }

  #see(stored: StoredEvent): void {
    this.#seq = stored.seq;
    this.#tell({ type: "event", stored });
    const { kind } = stored.event;
    if (!this.#isLocal) this.#endWith(stored.event);
    if (kind === "turn.opened" || kind === "turn.closed") this.#isTurnOpen = kind === "turn.opened";
    if (kind === "turn.opened" && !this.#isLocal) this.#keepLooking();
    if (kind === "turn.closed" && !this.#isLocal) this.#lookLastTime();
    this.#endStreams();
  }

  #keepLooking(): void {
    this.#looking ??= setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  #lookLastTime(): void {
    this.#stopLooking();
    for (const stream of this.#open.keys()) this.#tell({ type: "ended", stream });
    this.#open.clear();
    this.#going.clear();
  }

  #stopLooking(): void {
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
  }

  /** Reads the text that another process has saved since the last poll. */
  async #look(): Promise<void> {
    // Only one poll runs at a time. Otherwise, polls would accumulate while the store is unavailable.
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const known = new Map([...this.#open].map(([stream, { text }]) => [stream, text.length]));
      const streams = await this.#store.openStreams(this.#key, { known });
      if (!this.#isElsewhere()) return;
      for (const { stream, text } of streams) this.#takeUp(stream, known.get(stream) ?? 0, text);
      const names = new Set(streams.map(({ stream }) => stream));
      const gone = [...this.#open.keys()].filter((stream) => !names.has(stream));
      if (gone.length > 0) await this.#endElsewhere(gone);
    } catch {
      // The error is ignored, because the next poll may succeed and the journal reports persistent errors.
    } finally {
      this.#isLooking = false;
    }
  }

  /** Whether text of other processes should be polled. The poll may still return text after the turn has ended. */
  #isElsewhere(): boolean {
    return !this.#isLocal && this.#following !== null && this.#isTurnOpen;
  }

  /** Streams end after the last event, because a block with their text may arrive with it. */
  async #endElsewhere(streams: readonly string[]): Promise<void> {
    const { last_seq } = await this.#store.getConversation(this.#key);
    if (!this.#isElsewhere()) return;
    for (const stream of streams) this.#open.delete(stream);
    this.#ending.push({ seq: last_seq, streams });
    this.#endStreams();
  }

  #takeUp(stream: string, offset: number, text: string): void {
    const facts = readStreamName(stream);
    // Earlier text was dropped, for example because there were no followers. The next poll reads the whole text.
    const isBehind = (this.#open.get(stream)?.text.length ?? 0) !== offset;
    if (facts === null || text === "" || isBehind) return;
    const where = { ...(facts.path === null ? {} : { path: facts.path }), ...facts.call };
    this.#end(WAITING);
    const common = { type: "delta" as const, stream, turn_id: facts.turnId, kind: facts.kind, ...where };
    this.#write({ ...common, offset, text });
  }
}

function nameOf(item: GoingItem): string {
  switch (item.type) {
    case "progress":
      return item.call_id;
    case "waiting":
      return WAITING;
    case "compacting":
      return COMPACTING;
  }
}
