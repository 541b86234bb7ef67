/**
 * The one writer of a conversation while a turn runs: the timeline in memory, the lease, and the journal behind it.
 *
 * What the timeline has made is durable after `commit`. Commits run one after another, so that calls which settle at
 * the same time each land as one batch. Inputs that others append meanwhile are taken in by `refresh`. A lease that
 * was lost aborts the signal: whoever works for the turn stops, and nothing it made since is kept.
 */
import type { ConversationKey, ConversationStore, Lease } from "@cairn/store";
import { applyEvent, CairnError, makeEvent, Timeline, type TimelineDeps, type TimelineEvent } from "@cairn/timeline";
import type { TurnListener } from "./listener.ts";
import { spendingOf } from "./spending.ts";

export interface JournalOptions {
  readonly holder: string;
  readonly leaseMs: number;
  readonly listener: TurnListener;
  /** Ends the turn from outside. */
  readonly signal: AbortSignal;
}

export class TurnJournal {
  readonly timeline: Timeline;
  readonly #store: ConversationStore;
  readonly key: ConversationKey;
  readonly #lease: Lease;
  readonly #options: JournalOptions;
  readonly #ended = new AbortController();
  readonly #cancelled = new AbortController();
  readonly #own = new Set<number>();
  /** Recorded, and written with the next batch. */
  readonly #held: TimelineEvent[] = [];
  readonly #streams = new Set<string>();
  #seq: number;
  #timelineSeq: number;
  #writing: Promise<void> = Promise.resolve();
  /** Of the turn whose life was noted last, while nothing else was written since. */
  #attempted: string | null = null;

  private constructor(
    store: ConversationStore,
    key: ConversationKey,
    lease: Lease,
    timeline: Timeline,
    seq: { readonly seq: number; readonly timelineSeq: number },
    options: JournalOptions,
  ) {
    this.#store = store;
    this.key = key;
    this.#lease = lease;
    this.timeline = timeline;
    this.#seq = seq.seq;
    this.#timelineSeq = seq.timelineSeq;
    this.#options = options;
  }

  /** Takes the lease and loads the conversation. Throws `lease_held` while somebody else writes. */
  static async open(
    store: ConversationStore,
    key: ConversationKey,
    deps: TimelineDeps,
    options: JournalOptions,
  ): Promise<TurnJournal> {
    const lease = await store.acquireLease(key, options.holder, options.leaseMs);
    try {
      const loaded = await store.load(key);
      const left = await store.openStreams(key);
      const journal = new TurnJournal(store, key, lease, Timeline.fromState(loaded.state, deps), loaded, options);
      // What an earlier life was saying will not be said: it asks the model anew.
      for (const { stream } of left) journal.#streams.add(stream);
      await journal.discardStreams();
      journal.#keepLease();
      journal.#watchInputs();
      return journal;
    } catch (error) {
      // Whoever tries again must not have to wait for the lease. If it cannot be given back either, it runs out.
      await store.releaseLease(key, lease.token).catch(() => undefined);
      throw error;
    }
  }

  /** Aborts when the lease is lost, the journal is closed or the caller's own signal aborts. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#ended.signal, this.#options.signal]);
  }

  /** Aborts, besides, when the user cancels the turn. */
  get workSignal(): AbortSignal {
    return AbortSignal.any([this.signal, this.#cancelled.signal]);
  }

  /** The last timeline event that is durable. */
  get timelineSeq(): number {
    return this.#timelineSeq;
  }

  get isCancelled(): boolean {
    return this.#cancelled.signal.aborted;
  }

  /** Streams somebody may be watching, in the order they began. */
  get openStreams(): readonly string[] {
    return [...this.#streams];
  }

  /**
   * As `commit`, but for a batch of nothing but times and titles, which goes with the next one: nothing that anybody
   * acts on is lost with it, and each write waits for the disk.
   */
  async commitIfNeeded(): Promise<void> {
    const events = this.timeline.takeEvents();
    this.#held.push(...events);
    if (events.some(({ kind }) => kind !== "meta.set")) await this.commit();
  }

  /** Makes what the timeline has recorded durable, as one batch. `streams` are the ones that end with it. */
  commit(streams: readonly string[] = []): Promise<void> {
    const events = [...this.#held.splice(0), ...this.timeline.takeEvents()];
    const ended = streams.filter((stream) => this.#streams.delete(stream));
    const before = this.#writing;
    const write = async () => {
      await before;
      if (events.length === 0) return;
      this.signal.throwIfAborted();
      const lease = { token: this.#lease.token, expectedSeq: this.#timelineSeq };
      const spent = spendingOf(events);
      const appended = await this.#store.append(this.key, events, {
        ...{ lease, dropStreams: ended },
        ...(spent === null ? {} : { spent }),
      });
      for (const seq of appended.seqs) this.#own.add(seq);
      this.#timelineSeq = appended.lastTimelineSeq;
      this.#attempted = attemptedTurn(events.at(-1));
      this.#options.listener({ type: "events", events, lastSeq: appended.lastSeq, streams: ended });
      for (const event of events) this.#tellCompaction(event);
    };
    const written = write().catch((error: unknown) => {
      // Nothing may be written behind a batch that was not: the state in memory is ahead of the journal.
      this.#ended.abort(error);
      throw error;
    });
    // Whoever asked for the write hears how it went; what comes behind only waits for its end.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Takes in what others have appended: messages, cancellations, approvals, feedback. */
  async refresh(): Promise<void> {
    await this.#writing;
    for (;;) {
      const events = await this.#store.readEvents(this.key, { after: this.#seq, limit: 1_000 });
      for (const { seq, event } of events) {
        this.#seq = seq;
        if (!this.#own.delete(seq)) applyEvent(this.timeline.state, event);
      }
      if (events.length < 1_000) break;
    }
    if (this.timeline.state.cancelRequested !== null) this.#cancelled.abort();
  }

  /** Keeps the text of an open stream where a follower that joins, or a restart, finds it. */
  async keepStream(stream: string, offset: number, text: string): Promise<void> {
    await this.#store.appendStream(this.key, { token: this.#lease.token, stream, offset, text });
  }

  /** A stream has begun. It ends with a commit that names it, or is discarded. */
  noteStream(stream: string): void {
    this.#streams.add(stream);
  }

  /** Ends every open stream whose text will not become a block after all. */
  async discardStreams(): Promise<void> {
    for (const stream of this.openStreams) {
      this.#streams.delete(stream);
      this.#options.listener({ type: "discarded", stream });
      await this.#store.dropStream(this.key, { token: this.#lease.token, stream });
    }
  }

  /** Notes that this life ended without a result, though its process lives. */
  async suspend(now: number): Promise<void> {
    await this.#writing;
    if (this.#attempted === null) return;
    const event = makeEvent("turn.suspended", { turn_id: this.#attempted, ts: new Date(now).toISOString() });
    const lease = { token: this.#lease.token, expectedSeq: this.#timelineSeq };
    // A store in trouble, or a lost lease: the next life takes this one for a death, of which it takes three.
    await this.#store.append(this.key, [event], { lease }).catch(() => undefined);
  }

  /** Ends the turn's hold on the conversation. */
  async close(): Promise<void> {
    await this.#writing;
    this.#ended.abort(new CairnError("turn_ended", "The turn has ended."));
    await this.#store.releaseLease(this.key, this.#lease.token);
  }

  #tellCompaction(event: TimelineEvent): void {
    if ("unknown" in event || event.kind !== "compaction.committed") return;
    const { before_tokens = 0, after_tokens = 0 } = event.body;
    const compacted_tokens = before_tokens - after_tokens;
    this.#options.listener({ type: "on_after_compaction", before_tokens, after_tokens, compacted_tokens });
  }

  #keepLease(): void {
    const renew = async () => {
      try {
        await this.#store.renewLease(this.key, this.#lease.token, this.#options.leaseMs);
      } catch (error) {
        this.#ended.abort(error);
      }
    };
    const timer = setInterval(() => void renew(), Math.max(1, Math.floor(this.#options.leaseMs / 3)));
    timer.unref();
    this.#ended.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  /** A cancellation has to stop a model or a tool at once, not at the next boundary. */
  #watchInputs(): void {
    const watch = async () => {
      for await (const { event } of this.#store.follow(this.key, { after: this.#seq, signal: this.#ended.signal }))
        if (event.kind === "cancel.requested") this.#cancelled.abort();
    };
    watch().catch((error: unknown) => this.#ended.abort(error));
  }
}

function attemptedTurn(event: TimelineEvent | undefined): string | null {
  return event === undefined || "unknown" in event || event.kind !== "turn.attempted" ? null : event.body.turn_id;
}
