/**
 * A timeline: the one place where blocks are added and from which everything is derived.
 *
 * It composes the parts: what is contributed becomes events, events are folded into the state, the state is rendered.
 * Everything is synchronous, so nothing interleaves; a caller that persists takes the new events with `takeEvents` and
 * appends them to its journal before it relies on them. The clock and the token counter come from outside.
 *
 * @example
 * const timeline = Timeline.create({ clock: { now: () => 1_770_000_000_000 }, countTokens: (text) => text.length / 4 });
 * timeline.openTurn("turn_1");
 * timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text: "Hello" }]);
 * const view = timeline.render({ includeSources: true });
 */
import { type Artifact, resolveArtifact } from "./artifact/artifact.ts";
import { type TurnView, viewTurn } from "./artifact/turn-view.ts";
import { type Block, parseBlock } from "./block/block.ts";
import { callIdOf } from "./block/call.ts";
import { makeEvent } from "./event/codec.ts";
import type { EventBody, TimelineEvent } from "./event/event.ts";
import type { JsonObject } from "./json.ts";
import type { Clock, CountTokens } from "./ports.ts";
import { viewEntry } from "./render/block-view.ts";
import { ModelView } from "./render/model-view.ts";
import { type RenderOptions, renderView } from "./render/render.ts";
import type { RenderedView } from "./render/rendered-view.ts";
import type { SourceInput } from "./sources/row.ts";
import { applyEvent, foldEvents } from "./state/apply.ts";
import { Entry } from "./state/entry.ts";
import { composePayload, stateFromPayload, type TimelinePayload } from "./state/payload.ts";
import { TimelineState } from "./state/state.ts";
import { estimateMessages } from "./tokens/estimate-messages.ts";

export interface TimelineDeps {
  readonly clock: Clock;
  readonly countTokens: CountTokens;
}

export class Timeline {
  readonly state: TimelineState;
  readonly #deps: TimelineDeps;
  readonly #view: ModelView;
  #events: TimelineEvent[] = [];
  #announced: readonly Block[] = [];

  private constructor(state: TimelineState, deps: TimelineDeps) {
    this.state = state;
    this.#deps = deps;
    this.#view = new ModelView(state);
  }

  static create(deps: TimelineDeps): Timeline {
    return new Timeline(new TimelineState(), deps);
  }

  /** Goes on from a journal. */
  static fromEvents(events: Iterable<TimelineEvent>, deps: TimelineDeps): Timeline {
    return new Timeline(foldEvents(events), deps);
  }

  /** Goes on from the stored payloads: `conv.timeline.v1` and the rows of `conv:sources_pool`. */
  static fromPayload(payload: unknown, sources: readonly JsonObject[], deps: TimelineDeps, tokens?: readonly number[]) {
    return new Timeline(stateFromPayload(payload, sources, tokens), deps);
  }

  /** Begins a turn: notes it and contributes its header. */
  openTurn(turnId: string): void {
    const ts = this.#timestamp();
    this.#commit(makeEvent("turn.opened", { turn_id: turnId, ts }));
    if (this.state.meta.conversation_started_at === null) this.setMeta({ conversation_started_at: ts });
    this.contribute([{ type: "turn.header", author: "system", turn_id: turnId, ts }]);
  }

  closeTurn(exit: string): void {
    const { openTurn } = this.state;
    if (openTurn !== null) this.#commit(makeEvent("turn.closed", { turn_id: openTurn, ts: this.#timestamp(), exit }));
    this.#announced = [];
  }

  /** Adds blocks for good. Each gets the current time unless it brings its own, and is counted once, as it will look. */
  contribute(blocks: readonly Block[]): void {
    const ts = this.#timestamp();
    for (const given of blocks) {
      const parsed = parseBlock(given);
      const block = freezeDeep(structuredClone(parsed.ts === undefined ? { ...parsed, ts } : parsed));
      const version = this.state.versionOf(block, callIdOf(block));
      const draft = new Entry(this.state.nextPosition, block, version, null);
      const view = viewEntry(draft, (callId) => this.state.toolOf(callId));
      const tokens = estimateMessages(view, block, this.#deps.countTokens);
      this.#commit(makeEvent("block.appended", { position: draft.position, block, tokens, version }));
    }
    if (blocks.length > 0) this.setMeta({ last_activity_at: ts });
  }

  /** Merges rows into the sources pool and gives the SID each ended with, in order. */
  mergeSources(rows: readonly SourceInput[]): number[] {
    const { sids, changed } = this.state.pool.merge(rows);
    if (changed.length > 0) this.#commit(makeEvent("sources.merged", { rows: [...changed] }));
    return sids;
  }

  setMeta(meta: EventBody<"meta.set">): void {
    this.#commit(makeEvent("meta.set", meta));
  }

  /** Replaces what the next renders announce. In memory only. */
  announce(blocks: readonly Block[]): void {
    this.#announced = blocks.map((block) => parseBlock(block, "announce"));
  }

  /** What the model sees now. Changes nothing. */
  render(options: RenderOptions = {}): RenderedView {
    this.#view.update();
    return renderView(this.#view, this.state, this.#announced, this.#deps.countTokens, options);
  }

  payload(): TimelinePayload {
    return composePayload(this.state, this.#timestamp());
  }

  resolve(path: string): Artifact | null {
    return resolveArtifact(this.state, path);
  }

  turn(turnId: string): TurnView | null {
    return viewTurn(this.state, turnId);
  }

  /** The events made since the last call, for the journal. */
  takeEvents(): TimelineEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #commit(event: TimelineEvent): void {
    applyEvent(this.state, event);
    this.#events.push(event);
  }

  #timestamp(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}

/** A stored block never changes, not even by the hand of whoever contributed it. */
function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const content of Object.values(value)) freezeDeep(content);
  }
  return value;
}
