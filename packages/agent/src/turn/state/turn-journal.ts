/**
 * The single writer of a conversation during a turn: the timeline in memory, the lease, and the journal.
 *
 * New events of the timeline are durable after `commit`. Commits run one after another, so that each of the calls that
 * settle at the same time becomes one batch. `refresh` loads inputs that others have appended. If the lease is lost,
 * the signal aborts, all work for the turn stops, and its later events are not stored.
 */
import { addAbortListener } from "node:events";
import type { ConversationKey, ConversationStore, Lease } from "@cairn/store";
import {
  applyEvent,
  CairnError,
  type EventBody,
  makeEvent,
  Timeline,
  type TimelineDeps,
  type TimelineEvent,
} from "@cairn/timeline";
import type { TurnListener } from "./listener.ts";
import { spendingOf } from "./spending.ts";

export interface JournalOptions {
  readonly holder: string;
  readonly leaseMs: number;
  readonly listener: TurnListener;
  /** Aborts when the caller wants the turn to stop. */
  readonly signal: AbortSignal;
}

export class TurnJournal {
  readonly timeline: Timeline;
  readonly #store: ConversationStore;
  readonly key: ConversationKey;
  readonly #lease: Lease;
  readonly #options: JournalOptions;
  readonly #ended: AbortController;
  readonly #cancelled = new AbortController();
  readonly #own = new Set<number>();
  /** Recorded events that are written with the next batch. */
  readonly #held: TimelineEvent[] = [];
  readonly #streams = new Set<string>();
  #seq: number;
  #timelineSeq: number;
  #writing: Promise<void> = Promise.resolve();
  /** The turn of the last recorded attempt; absent if the journal has a later timeline event. */
  #attempted: string | null = null;

  private constructor(
    store: ConversationStore,
    key: ConversationKey,
    lease: Lease,
    ended: AbortController,
    timeline: Timeline,
    seq: { readonly seq: number; readonly timelineSeq: number },
    options: JournalOptions,
  ) {
    this.#store = store;
    this.key = key;
    this.#lease = lease;
    this.#ended = ended;
    this.timeline = timeline;
    this.#seq = seq.seq;
    this.#timelineSeq = seq.timelineSeq;
    this.#options = options;
  }

  /** Takes the lease and loads the conversation. Throws `lease_held` while another writer holds it. */
  static async open(
    store: ConversationStore,
    key: ConversationKey,
    deps: TimelineDeps,
    options: JournalOptions,
  ): Promise<TurnJournal> {
    const lease = await store.acquireLease(key, options.holder, options.leaseMs);
    const ended = new AbortController();
    // Renews the lease from now on, because loading may take longer than a lease lasts.
    keepLease(store, key, { token: lease.token, leaseMs: options.leaseMs, ended });
    try {
      const loaded = await store.load(key);
      const left = await store.openStreams(key);
      const journal = new TurnJournal(
        store,
        key,
        lease,
        ended,
        Timeline.fromState(loaded.state, deps),
        loaded,
        options,
      );
      // Drops the text that an earlier process was streaming, because the model is asked again.
      for (const { stream } of left) journal.#streams.add(stream);
      await journal.discardStreams();
      journal.#watchInputs();
      return journal;
    } catch (error) {
      ended.abort(error);
      // The lease is released, so that a retry need not wait for its end. If this fails, the lease expires by itself.
      await store.releaseLease(key, lease.token).catch(() => undefined);
      throw error;
    }
  }

  /** Aborts when the lease is lost, the journal is closed or the caller's own signal aborts. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#ended.signal, this.#options.signal]);
  }

  /** Also aborts when the user cancels the turn. */
  get workSignal(): AbortSignal {
    return AbortSignal.any([this.signal, this.#cancelled.signal]);
  }

  /** The last durable timeline event. */
  get timelineSeq(): number {
    return this.#timelineSeq;
  }

  get isCancelled(): boolean {
    return this.#cancelled.signal.aborted;
  }

  /** Open streams, in the order they began. */
  get openStreams(): readonly string[] {
    return [...this.#streams];
  }

  /** Like `commit`, but a batch of only times and titles waits for the next commit: each write waits for the disk. */
  async commitIfNeeded(): Promise<void> {
    const events = this.timeline.takeEvents();
    this.#held.push(...events);
    if (events.some(({ kind }) => kind !== "meta.set" && kind !== "title.given")) await this.commit();
  }

  /** Makes the recorded events durable, as one batch. `streams`: the streams that end with this batch. */
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
        lease,
        dropStreams: ended,
        ...(spent === null ? {} : { spent }),
      });
      for (const seq of appended.seqs) this.#own.add(seq);
      this.#timelineSeq = appended.lastTimelineSeq;
      this.#attempted = attemptedTurn(events.at(-1));
      this.#options.listener({ type: "events", events, lastSeq: appended.lastSeq, streams: ended });
      for (const event of events) this.#tellCompaction(event);
    };
    const written = write().catch((error: unknown) => {
      // After a failed batch nothing more may be written, because the state in memory is newer than the journal.
      this.#ended.abort(error);
      throw error;
    });
    // Only the caller of the failed write gets its error; later writes just wait for its end.
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Loads inputs that others have appended: messages, cancellations, approvals, feedback. */
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

  /** Saves the text of an open stream for followers that join later and for a restart. */
  async keepStream(stream: string, offset: number, text: string): Promise<void> {
    await this.#store.appendStream(this.key, { token: this.#lease.token, stream, offset, text });
  }

  /** Records that a stream has begun. It ends with a commit that names it, or is discarded. */
  noteStream(stream: string): void {
    this.#streams.add(stream);
  }

  /** Ends every open stream, because their texts will not become blocks. */
  async discardStreams(): Promise<void> {
    for (const stream of this.openStreams) {
      this.#streams.delete(stream);
      this.#options.listener({ type: "discarded", stream });
      await this.#store.dropStream(this.key, { token: this.#lease.token, stream });
    }
  }

  /** Records that this attempt ended without a result although its process is alive. */
  async suspend(now: number): Promise<void> {
    await this.#writing;
    if (this.#attempted === null) return;
    const event = makeEvent("turn.suspended", { turn_id: this.#attempted, ts: new Date(now).toISOString() });
    const lease = { token: this.#lease.token, expectedSeq: this.#timelineSeq };
    // The store failed or the lease was lost. The attempt then counts as a crash, but only three crashes close a turn.
    await this.#store.append(this.key, [event], { lease }).catch(() => undefined);
  }

  /** Releases the conversation. */
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

  /** A cancellation must stop a model or a tool immediately, and not only at the next step. */
  #watchInputs(): void {
    const watch = async () => {
      for await (const { event } of this.#store.follow(this.key, { after: this.#seq, signal: this.#ended.signal }))
        if (!("unknown" in event) && event.kind === "cancel.requested" && this.#isMeant(event.body))
          this.#cancelled.abort();
    };
    watch().catch((error: unknown) => this.#ended.abort(error));
  }

  /** Before the turn is open, `refresh` finds the request to cancel. */
  #isMeant({ turn_id }: EventBody<"cancel.requested">): boolean {
    return turn_id === undefined || turn_id === this.timeline.state.openTurn;
  }
}

function attemptedTurn(event: TimelineEvent | undefined): string | null {
  return event === undefined || "unknown" in event || event.kind !== "turn.attempted" ? null : event.body.turn_id;
}

/** Renews the lease until `ended` aborts. Aborts `ended` when the lease is lost. */
function keepLease(
  store: ConversationStore,
  key: ConversationKey,
  { token, leaseMs, ended }: { readonly token: number; readonly leaseMs: number; readonly ended: AbortController },
): void {
  const renew = () => store.renewLease(key, token, leaseMs).catch((error: unknown) => ended.abort(error));
  const timer = setInterval(renew, Math.max(1, Math.floor(leaseMs / 3)));
  timer.unref();
  addAbortListener(ended.signal, () => clearInterval(timer));
}
