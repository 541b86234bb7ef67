/**
 * A timeline: the object through which blocks are added, and from which everything else is derived.
 *
 * A timeline combines the parts: contributed blocks become events, events are folded into the state, the state is
 * rendered. All methods are synchronous, except those called `…InSteps`, so calls do not interleave. A caller that
 * persists takes the new events with `takeEvents` and appends them to its journal before it relies on them. The clock
 * and the token counter come from outside.
 *
 * @example
 * const timeline = Timeline.create({ clock: { now: () => 1_770_000_000_000 }, countTokens: (text) =>
 * Math.ceil(text.length / 4) }); timeline.openTurn("turn_1"); timeline.contribute([{ type: "user.prompt", turn_id:
 * "turn_1", path: "ar:turn_1.user.prompt", text: "Hello" }]); const view = timeline.render({ includeSources: true });
 */
import { renderAnnounce } from "./announce/announce.ts";
import { type Artifact, resolveArtifact } from "./artifact/artifact.ts";
import { type TurnArtifacts, turnArtifacts } from "./artifact/turn-artifacts.ts";
import type { JsonObject } from "./base/json.ts";
import type { Clock, CountTokens } from "./base/ports.ts";
import { runSteps, type Steps } from "./base/steps.ts";
import { type Block, parseBlock } from "./block/block.ts";
import type { DeclaredReset } from "./cache/reset.ts";
import { freshEntries, lastEntries } from "./clip/clip-range.ts";
import { type FileLimits, planFileClips } from "./clip/file-limits.ts";
import { planClips } from "./clip/plan-clips.ts";
import { type ContextBudget, isOverBudget, type NewBlocksRoom, newBlocksRoom } from "./compact/budget.ts";
import {
  type CompactionPlan,
  type CompactionProse,
  checkFits,
  commitCompaction,
  planCompaction,
} from "./compact/plan-compaction.ts";
import { makeEvent } from "./event/codec.ts";
import type { EventBody, EventKind, TimelineEvent } from "./event/event.ts";
import type { TurnChoice } from "./event/turn-choice.ts";
import { type HideRequest, type HideResult, planHide } from "./hide/hide.ts";
import type { FileKind } from "./message/message.ts";
import type { RemovalPrices } from "./prune/cost-rule.ts";
import { type PruneOptions, planPrune, planTurnPrune } from "./prune/plan-prune.ts";
import { viewEntry } from "./render/block-view.ts";
import { escapeRules } from "./render/escape.ts";
import { estimateMessages } from "./render/estimate-messages.ts";
import { ModelView } from "./render/model-view.ts";
import { type RenderOptions, renderView } from "./render/render.ts";
import type { RenderedView } from "./render/rendered-view.ts";
import type { SourceInput } from "./sources/row.ts";
import { applyEvent, foldEvents } from "./state/apply.ts";
import type { Entry } from "./state/entry.ts";
import { composePayload, stateFromPayload, type TimelinePayload } from "./state/payload.ts";
import { TimelineState } from "./state/state.ts";

export interface TimelineDeps {
  readonly clock: Clock;
  readonly countTokens: CountTokens;
  /** The rendering rules (default: the current version; an earlier one to rebuild an old request). */
  readonly rendererVersion?: number;
}

export interface CompactionReport {
  readonly summary: Block;
  readonly before_tokens: number;
  readonly after_tokens: number;
  readonly compacted_tokens: number;
  readonly reset: DeclaredReset;
}

export class Timeline {
  readonly state: TimelineState;
  readonly #deps: TimelineDeps;
  readonly #view: ModelView;
  #events: TimelineEvent[] = [];
  /** Whether anything changed since the timeline was created or loaded. */
  #committed = false;
  #announced: readonly Block[] = [];

  private constructor(state: TimelineState, deps: TimelineDeps) {
    this.state = state;
    this.#deps = deps;
    this.#view = new ModelView(state, deps.rendererVersion);
  }

  static create(deps: TimelineDeps): Timeline {
    return new Timeline(new TimelineState(), deps);
  }

  /** Restores a timeline from a journal. */
  static fromEvents(events: Iterable<TimelineEvent>, deps: TimelineDeps): Timeline {
    return new Timeline(foldEvents(events), deps);
  }

  /** Creates a timeline from a state that a store has loaded. The timeline then owns the state. */
  static fromState(state: TimelineState, deps: TimelineDeps): Timeline {
    return new Timeline(state, deps);
  }

  /** Restores a timeline from the stored payloads: `conv.timeline.v1` and the rows of `conv:sources_pool`. */
  static fromPayload(payload: unknown, sources: readonly JsonObject[], deps: TimelineDeps, tokens?: readonly number[]) {
    return new Timeline(stateFromPayload(payload, sources, tokens), deps);
  }

  /** Begins a turn: records it and contributes its header. `choice` is what its message asked for. */
  openTurn(turnId: string, choice: TurnChoice = {}): void {
    const ts = this.#timestamp();
    this.#commit(makeEvent("turn.opened", { turn_id: turnId, ts, ...choice }));
    if (this.state.meta.conversation_started_at === null) this.setMeta({ conversation_started_at: ts });
    this.contribute([{ type: "turn.header", author: "system", turn_id: turnId, ts }]);
  }

  closeTurn(exit: string): void {
    const { openTurn } = this.state;
    // The log of the turn contains the last announcement; the timeline never does.
    const text = renderAnnounce(this.#announced, escapeRules(this.#deps.rendererVersion));
    const announced = text === "" ? {} : { announced: { type: "react.announce", turn_id: openTurn, text } };
    if (openTurn !== null)
      this.#commit(makeEvent("turn.closed", { turn_id: openTurn, ts: this.#timestamp(), exit, ...announced }));
    this.#announced = [];
  }

  /** Appends blocks. Each block gets the current time unless it has a time; its tokens are counted once. */
  contribute(blocks: readonly Block[]): void {
    this.#append(blocks);
    if (blocks.length > 0) this.setMeta({ last_activity_at: this.#timestamp() });
  }

  #append(blocks: readonly Block[]): void {
    const ts = this.#timestamp();
    for (const given of blocks) {
      const parsed = parseBlock(given);
      const block = freezeDeep(structuredClone(parsed.ts === undefined ? { ...parsed, ts } : parsed));
      const { position, tokens, version } = this.#measure(block);
      this.#commit(makeEvent("block.appended", { position, block, tokens, version }));
    }
  }

  /** Merges rows into the sources pool and returns the SID of each, in order. */
  mergeSources(rows: readonly SourceInput[]): number[] {
    const { sids, changed } = this.state.pool.merge(rows);
    if (changed.length > 0) this.#commit(makeEvent("sources.merged", { rows: [...changed] }));
    return sids;
  }

  setMeta(meta: EventBody<"meta.set">): void {
    this.#commit(makeEvent("meta.set", meta));
  }

  /** Gives the conversation a title in place of `replaces`, unless it gets another one meanwhile. */
  giveTitle(key: string, title: string, replaces: string | null): void {
    this.#commit(makeEvent("title.given", { key, ts: this.#timestamp(), title, replaces }));
  }

  /** Records events other than blocks: calls that start and settle, inputs that are processed, receipts. */
  record<K extends EventKind>(kind: K, body: EventBody<K>): void {
    this.#commit(makeEvent(kind, body));
  }

  /** Replaces the announcement of the next renders. The announcement is kept in memory only. */
  announce(blocks: readonly Block[]): void {
    this.#announced = blocks.map((block) => parseBlock(block, "announce"));
  }

  /** Adds texts to the announcement until the next `announce`. */
  announceOnce(notices: readonly string[]): void {
    this.#announced = [...this.#announced, ...notices.map((text): Block => ({ type: "react.announce", text }))];
  }

  /** Renders the blocks that no render has shown yet, so that the next `render` is quick. */
  renderInSteps(): Steps<void> {
    return this.#view.updateInSteps();
  }

  /** Renders the current view of the model. Changes nothing. */
  render(options: RenderOptions = {}): RenderedView {
    this.#view.update();
    return renderView(this.#view, this.state, this.#announced, this.#deps.countTokens, options);
  }

  /** Hides the blocks at some paths behind a note; only near the end of the timeline. */
  hide(request: HideRequest): HideResult {
    this.#view.update();
    const { result, event } = planHide(this.#view, request, this.#deps.countTokens);
    if (event !== null) this.#commit(event);
    return result;
  }

  /** Prunes when the provider's cache has expired, and records that the timeline is about to be sent. */
  prune(options: PruneOptions): { readonly resets: readonly DeclaredReset[]; readonly notices: readonly string[] } {
    this.#view.update();
    const plan = planPrune(this.#view, this.state, options, this.#deps.countTokens);
    for (const event of plan.events) this.#commit(event);
    if (plan.message !== null) this.#append([plan.message]);
    return { resets: plan.resets, notices: plan.message?.text === undefined ? [] : [plan.message.text] };
  }

  /** Prunes the large results of a finished turn when that saves cost; returns the reset, or null. */
  pruneTurn(turnId: string, prices: RemovalPrices): DeclaredReset | null {
    this.#view.update();
    const plan = planTurnPrune(this.state, turnId, prices, this.#deps.countTokens);
    if (plan === null) return null;
    this.#commit(plan.event);
    return plan.reset;
  }

  /**
   * Clips blocks that no request has shown yet to their share of the window. If the request would still not fit, blocks
   * that a compaction must keep are clipped as well. Returns the resets of blocks that were already sent.
   */
  clip(budget: ContextBudget): DeclaredReset[] {
    return runSteps(this.clipInSteps(budget));
  }

  *clipInSteps(budget: ContextBudget): Steps<DeclaredReset[]> {
    const { share, most } = newBlocksRoom(budget);
    const { countTokens } = this.#deps;
    const resets = yield* this.#clip(freshEntries(this.state, this.#view), { share, most });
    yield* this.#view.updateInSteps();
    if (!isOverBudget(this.#view.shownTokens(countTokens), budget)) return resets;
    return [...resets, ...(yield* this.#clip(lastEntries(this.#view), { share: most, most }))];
  }

  *#clip(entries: readonly Entry[], room: NewBlocksRoom): Steps<DeclaredReset[]> {
    const plan = yield* planClips(entries, room, (entry) => this.#isSent(entry), this.#deps.countTokens);
    if (plan === null) return [];
    this.#commit(plan.event);
    return plan.reset === null ? [] : [plan.reset];
  }

  /** Drops the oldest pictures and documents when a request would exceed its provider's limits. */
  clipFiles(limits: FileLimits, described: ReadonlySet<FileKind> = new Set()): DeclaredReset[] {
    const isSent = (entry: Entry) => this.#isSent(entry);
    const plan = planFileClips(this.state.shownFiles(), limits, described, isSent, this.#deps.countTokens);
    if (plan === null) return [];
    this.#commit(plan.event);
    return plan.reset === null ? [] : [plan.reset];
  }

  /** Without receipts, a clipped block is assumed to have been sent in that form. */
  #isSent(entry: Entry): boolean {
    const { sentPosition } = this.state;
    return sentPosition === null ? entry.clip !== null : entry.position < sentPosition;
  }

  /** The compaction needed before a request of this size; null when it fits or nothing can be cut. */
  planCompaction(budget: ContextBudget, force = false, turnId?: string): CompactionPlan | null {
    return runSteps(this.planCompactionInSteps(budget, force, turnId));
  }

  *planCompactionInSteps(budget: ContextBudget, force = false, turnId?: string): Steps<CompactionPlan | null> {
    yield* this.#view.updateInSteps();
    return yield* planCompaction(this.#view, budget, force, this.#deps.countTokens, turnId);
  }

  /** Carries a compaction out. Without prose the digest alone is the summary. */
  commitCompaction(plan: CompactionPlan, prose: CompactionProse): CompactionReport {
    const countBlock = (block: Block) => this.#measure(block).tokens;
    const { event, summary } = commitCompaction(plan, prose, {
      turnId: plan.currentTurn,
      ts: this.#timestamp(),
      position: this.state.nextPosition,
      versionOf: (block) => this.state.draft(block).version,
      countTokens: this.#deps.countTokens,
      countBlock,
    });
    this.#commit(event);
    this.#view.update();
    const after = this.#view.shownTokens(this.#deps.countTokens);
    const compacted = plan.beforeTokens - after;
    return {
      summary,
      before_tokens: plan.beforeTokens,
      after_tokens: after,
      compacted_tokens: compacted,
      reset: { cause: "compaction", blocks: plan.covered.length, tokens: compacted },
    };
  }

  /** Throws `context_too_small` when the visible content cannot fit into the model's window. */
  checkFits(budget: ContextBudget): void {
    this.#view.update();
    checkFits(this.#view, budget, this.#deps.countTokens);
  }

  tailTokens(options: RenderOptions): number {
    let tokens = 0;
    for (const message of this.render(options).tail)
      if (message.type === "text") tokens += this.#deps.countTokens(message.text);
    return tokens;
  }

  /** Sets the model whose sealed reasoning requests return, so that it counts as visible; null for none. */
  countReasoningOf(model: string | null): void {
    this.#view.countReasoningOf(model);
  }

  /** Tokens of the visible content, without the tail. */
  visibleTokens(): number {
    this.#view.update();
    return this.#view.shownTokens(this.#deps.countTokens);
  }

  payload(): TimelinePayload {
    const changed = this.#committed || this.state.readAt === null;
    return composePayload(this.state, changed ? this.#timestamp() : this.state.readAt);
  }

  resolve(path: string): Artifact | null {
    return resolveArtifact(this.state, path);
  }

  turn(turnId: string): TurnArtifacts | null {
    return turnArtifacts(this.state, turnId);
  }

  /** The events made since the last call, for the journal. */
  takeEvents(): TimelineEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The block as the next entry of the timeline, with its tokens. */
  #measure(block: Block): { readonly position: number; readonly tokens: number; readonly version: number } {
    const draft = this.state.draft(block);
    const tokens = estimateMessages(viewEntry(draft, this.#deps.rendererVersion), block, this.#deps.countTokens);
    return { position: draft.position, tokens, version: draft.version };
  }

  #commit(event: TimelineEvent): void {
    applyEvent(this.state, event);
    this.#committed = true;
    this.#events.push(event);
  }

  #timestamp(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}

/** Freezes a stored block, so that even the code that contributed it cannot change it. */
function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const content of Object.values(value)) freezeDeep(content);
  }
  return value;
}
