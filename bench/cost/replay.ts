/**
 * Replays a trace through a real timeline: every request is a real render, a restart goes on from the journal.
 *
 * A request is sent when a turn opens and after each round; the last one of a turn brings the answer. Before each the
 * pool and an announcement are placed in the tail, as an agent does. With `prune` the timeline is maintained when a turn
 * has closed and before every request, and part of what was removed is read back at the beginning of the next turn, by
 * a round of its own.
 */
import { make } from "@cairn/testkit/conversation";
import {
  type CacheTtl,
  type CountTokens,
  chooseTtl,
  composeAnnouncement,
  type DeclaredReset,
  decodeEvent,
  encodeEvent,
  PROVIDERS,
  type ProviderId,
  type RenderedView,
  type RenderOptions,
  Timeline,
} from "@cairn/timeline";
import { composeAnswer, composeReread, composeRound, composeSources } from "./compose.ts";
import { Maintenance } from "./maintenance.ts";
import type { Reread } from "./reread.ts";
import type { Trace, TraceTurn } from "./trace.ts";
import { words } from "./words.ts";

const STARTED_AT = Date.UTC(2026, 9, 1, 8);
const MAX_ITERATIONS = 20;
/** A window the whole of a trace fits in. */
const MAX_TOKENS = 1_000_000;
/** What reading something back takes. */
const READ_SECONDS = 5;

export interface Moment {
  /** Seconds since the conversation began. */
  readonly t: number;
  readonly view: RenderedView;
  /** The TTL chosen from the pauses so far where `auto` was asked for. */
  readonly ttl: CacheTtl;
  /** What was removed since the previous request. */
  readonly resets: readonly DeclaredReset[];
}

export interface ReplayOptions {
  readonly strategy: NonNullable<RenderOptions["strategy"]>;
  readonly countTokens: CountTokens;
  readonly provider: ProviderId;
  readonly ttl: CacheTtl | "auto";
  /** Absent: nothing is ever removed. */
  readonly prune?: { readonly reread: Reread };
}

/** The requests of a conversation, in order. Take what is needed of a view before asking for the next. */
export function* replay(trace: Trace, options: ReplayOptions): Generator<Moment> {
  const conversation = new Conversation(options);
  for (const [index, turn] of trace.turns.entries()) yield* conversation.runTurn(turn, index);
}

class Conversation {
  readonly #options: ReplayOptions;
  readonly #journal: string[] = [];
  readonly #pauses: number[] = [];
  readonly #maintenance: Maintenance | null;
  #resets: DeclaredReset[] = [];
  /** What a turn adds, over the history that is shown. */
  #turnShare = 1;
  #t = 0;
  #timeline: Timeline;

  constructor(options: ReplayOptions) {
    this.#options = options;
    const { prune, provider } = options;
    this.#maintenance = prune === undefined ? null : new Maintenance(PROVIDERS[provider], prune.reread);
    this.#timeline = Timeline.create(this.#deps());
  }

  *runTurn(turn: TraceTurn, index: number): Generator<Moment> {
    if (index > 0) {
      this.#pauses.push(turn.pause_seconds);
      this.#turnShare = this.#added() / index / this.#timeline.visibleTokens();
    }
    this.#t += turn.pause_seconds;
    const opened = this.#t;
    const id = `turn_${STARTED_AT + this.#t * 1_000}_${index.toString(36).padStart(6, "0")}`;
    let found: number | null = null;
    this.#timeline.openTurn(id);
    this.#timeline.contribute([make.prompt(id, words(index, turn.prompt_tokens))]);
    const removed = this.#maintenance?.takeRereads() ?? [];
    let iteration = 0;
    if (removed.length > 0) {
      yield this.#request(id, iteration, opened);
      this.#timeline.contribute(composeReread(contextOf(id, index, iteration++), removed));
      this.#t += READ_SECONDS;
    }
    for (const [nth, round] of turn.rounds.entries()) {
      yield this.#request(id, iteration, opened);
      const sids = this.#timeline.mergeSources(composeSources(round, this.#timeline.state.pool.size + 1));
      const context = contextOf(id, index, iteration++);
      this.#timeline.contribute(composeRound(context, round, index * 1_000 + nth * 40, sids));
      found ??= sids[0] ?? null;
      this.#t += round.seconds;
      if (turn.restart_after_round === nth + 1) this.#restart();
    }
    yield this.#request(id, iteration, opened);
    this.#timeline.contribute([composeAnswer(id, turn.answer_tokens, index + 500, found)]);
    this.#timeline.closeTurn("complete");
    if (this.#maintenance !== null) this.#resets.push(...this.#maintenance.afterTurn(this.#timeline, id, this.#ttl()));
    this.#journalise();
  }

  #request(turnId: string, iteration: number, opened: number): Moment {
    const ttl = this.#ttl();
    const now = this.#now();
    if (this.#maintenance !== null)
      this.#resets.push(...this.#maintenance.beforeRequest(this.#timeline, now / 1_000, ttl));
    this.#journalise();
    this.#timeline.announce([
      composeAnnouncement({
        iteration: { current: iteration + 1, limit: MAX_ITERATIONS },
        elapsedMs: (this.#t - opened) * 1_000,
        now,
        timeZone: "Europe/Berlin",
      }),
    ]);
    const view = this.#timeline.render({
      turnId,
      strategy: this.#options.strategy,
      includeSources: true,
      includeAnnounce: true,
      maxTokens: MAX_TOKENS,
    });
    const resets = this.#resets;
    this.#resets = [];
    return { t: this.#t, view, ttl, resets };
  }

  #ttl(): CacheTtl {
    const { ttl, provider } = this.#options;
    return ttl === "auto" ? chooseTtl(this.#pauses, PROVIDERS[provider], this.#turnShare) : ttl;
  }

  /** Tokens of everything ever contributed. */
  #added(): number {
    return this.#timeline.state.window.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
  }

  #journalise(): void {
    const events = this.#timeline.takeEvents();
    this.#maintenance?.watch(this.#timeline, events);
    for (const event of events) this.#journal.push(JSON.stringify(encodeEvent(event)));
  }

  /** Everything in memory is gone; what was journaled comes back as bytes. */
  #restart(): void {
    this.#journalise();
    const events = this.#journal.map((line) => decodeEvent(JSON.parse(line)));
    this.#timeline = Timeline.fromEvents(events, this.#deps());
  }

  #now(): number {
    return STARTED_AT + this.#t * 1_000;
  }

  #deps() {
    return { clock: { now: () => this.#now() }, countTokens: this.#options.countTokens };
  }
}

function contextOf(turn: string, index: number, iteration: number): make.CallContext {
  return { turn, call: `tc_${(index * 100 + iteration).toString(16).padStart(12, "0")}`, iteration };
}
