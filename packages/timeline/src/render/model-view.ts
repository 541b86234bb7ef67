/**
 * The stable part of what the model sees, kept up to date as the state grows.
 *
 * Message blocks are only ever added at the end, so the cost of an update depends only on the new blocks. When
 * something already shown may have changed (the state's `revision` changed), or a summary starts a new slice, the list
 * is rebuilt from the entries' cached views: pointers are copied, and no text is rendered twice.
 */
import type { CountTokens } from "../base/ports.ts";
import { runSteps, type Steps } from "../base/steps.ts";
import { pieceTokens, reasoningOf } from "../block/reasoning.ts";
import type { RenderedSlice } from "../cache/checkpoints.ts";
import { viewInterrupted } from "../kind/result-header.ts";
import type { MessageBlock } from "../message/message.ts";
import { paragraph } from "../message/paragraph.ts";
import { canonicalPath } from "../path/resolve.ts";
import { splitVersion } from "../path/version.ts";
import type { Entry } from "../state/entry.ts";
import type { TimelineState } from "../state/state.ts";
import { viewEntry } from "./block-view.ts";
import { shownTokens } from "./estimate-messages.ts";
import { isSameGroup } from "./groups.ts";
import { OpenCalls } from "./open-calls.ts";
import { Origin } from "./origin.ts";
import { Rounds } from "./rounds.ts";
import { SourcesTail } from "./sources-tail.ts";
import { UsedSources } from "./used-sources.ts";
import { RENDERER_VERSION } from "./version.ts";

/** Approximate number of characters that one step of an update renders. */
const STEP_CHARS = 1_000_000;

export class ModelView implements RenderedSlice {
  readonly #state: TimelineState;
  readonly version: number;
  #revision = 0;
  /** Number of window entries already processed. */
  #taken = 0;
  /** Index of the slice's first entry in the window. */
  #start = 0;
  #messages: MessageBlock[] = [];
  /** Number of message blocks up to and including each entry of the slice. */
  #emitted: number[] = [];
  /** Indices of the messages at which a group starts, ascending. */
  #groupStarts: number[] = [];
  /** The last entry that emitted messages; null when the last messages belong to no entry. */
  #lastEmitter: Entry | null = null;
  /** Messages before an entry that belong to no entry: the errors of calls that turn out to be lost. */
  #interjected = new Map<number, readonly string[]>();
  #origins: Origin[] = [];
  /** Number of shown tokens up to and including each counted entry of the slice. */
  #tokenSums: number[] = [];
  #reasoningOf: string | null = null;
  readonly #reasoningTokens = new WeakMap<Entry, number>();
  #rounds = new Rounds();
  #openCalls = new OpenCalls();
  #turnStarts = new Map<string, number>();
  #usedSources = new UsedSources();
  #sourcesTail: SourcesTail | null = null;
  /** The turns of the slice. A summary does not count, because it names the turn in which it was made. */
  #seenTurns = new Set<string>();
  #lastTurn: string | null = null;

  /** `version`: the rendering rules. A state is rendered by one version only, because its entries cache their views. */
  constructor(state: TimelineState, version = RENDERER_VERSION) {
    this.#state = state;
    this.version = version;
    this.#revision = state.revision;
  }

  /** Processes what the state gained since the last call. */
  update(): void {
    runSteps(this.updateInSteps());
  }

  *updateInSteps(): Steps<void> {
    for (let chars = 0; ; ) {
      if (this.#revision !== this.#state.revision) {
        this.#revision = this.#state.revision;
        this.#taken = 0;
        this.#startSlice(0);
      }
      const entry = this.#state.window[this.#taken];
      if (entry === undefined) return;
      if (entry.view === null) chars += entry.block.text?.length ?? 0;
      this.#take(entry);
      this.#taken++;
      if (chars < STEP_CHARS) continue;
      chars = 0;
      yield;
    }
  }

  #startSlice(at: number): void {
    this.#start = at;
    this.#messages = [];
    this.#emitted = [];
    this.#interjected = new Map();
    this.#origins = [];
    this.#tokenSums = [];
    this.#groupStarts = [];
    this.#lastEmitter = null;
    this.#rounds = new Rounds();
    this.#openCalls = new OpenCalls();
    this.#turnStarts = new Map();
    this.#usedSources = new UsedSources();
    this.#seenTurns = new Set();
    this.#lastTurn = null;
  }

  #take(entry: Entry): void {
    const { block, kind } = entry;
    if (kind.role === "summary") this.#startSlice(this.#taken);
    const lost = this.#openCalls.closedBy(entry);
    if (lost.length > 0) this.#interjected.set(this.#emitted.length, lost.map(viewInterrupted));
    for (const call of lost) {
      const from = this.#messages.length;
      this.#push(paragraph(viewInterrupted(call)), null);
      this.#origins.push(new Origin(call, from, this.#messages.length, true));
    }
    if (block.turn_id && !this.#seenTurns.has(block.turn_id) && kind.role !== "summary") {
      this.#seenTurns.add(block.turn_id);
      this.#lastTurn = block.turn_id;
    }
    if (kind.role === "turn" && block.turn_id && !this.#turnStarts.has(block.turn_id))
      this.#turnStarts.set(block.turn_id, this.#messages.length);
    const view = entry.view ?? viewEntry(entry, this.version);
    entry.view = view;
    const from = this.#messages.length;
    this.#push(view, entry);
    this.#origins.push(new Origin(entry, from, this.#messages.length));
    this.#rounds.add(entry, this.#emitted.length);
    this.#emitted.push(this.#messages.length);
    this.#openCalls.add(entry);
  }

  #push(messages: readonly MessageBlock[], emitter: Entry | null): void {
    if (messages.length === 0) return;
    if (emitter === null || this.#lastEmitter === null || !isSameGroup(this.#lastEmitter, emitter))
      this.#groupStarts.push(this.#messages.length);
    this.#lastEmitter = emitter;
    for (const message of messages) this.#messages.push(message);
  }

  /** The stable message blocks. The list only grows; its first `length` elements never change. */
  get messages(): readonly MessageBlock[] {
    return this.#messages;
  }

  get length(): number {
    return this.#messages.length;
  }

  /** Start indices of groups. The list only grows, like `messages`. */
  get groupStarts(): readonly number[] {
    return this.#groupStarts;
  }

  /** The entries that the messages come from. The list only grows, like `messages`. */
  get origins(): readonly Origin[] {
    return this.#origins;
  }

  /** The texts shown for calls without an outcome. These texts are not stable, because the outcome may still arrive. */
  openCallTexts(): string[] {
    return this.#openCalls.texts();
  }

  get lastTurn(): string | null {
    return this.#lastTurn;
  }

  get roundCount(): number {
    return this.#rounds.count;
  }

  emittedThroughRound(round: number): number {
    const end = this.#rounds.endOf(round);
    return end === undefined ? 0 : this.emittedThrough(end);
  }

  /** Number of messages before the last decision, where the previous request is assumed to have ended. */
  get emittedBeforeLastDecision(): number {
    const start = this.#rounds.startOf(this.#rounds.firstOfLastDecision);
    return start === undefined || start === 0 ? 0 : this.emittedThrough(start - 1);
  }

  /** Index in the slice of the first block of the last decision; 0 when there is none. */
  get lastDecisionStart(): number {
    return this.#rounds.startOf(this.#rounds.firstOfLastDecision) ?? 0;
  }

  emittedBeforeTurn(turnId: string): number | null {
    return this.#turnStarts.get(turnId) ?? null;
  }

  /** Number of messages emitted up to and including an entry, by its index in the slice. */
  emittedThrough(index: number): number {
    return this.#emitted[index] ?? 0;
  }

  /** The visible entries, from the latest summary on. */
  slice(): readonly Entry[] {
    return this.#start === 0 ? this.#state.window : this.#state.window.slice(this.#start);
  }

  entryAt(index: number): Entry | undefined {
    return this.#state.window[this.#start + index];
  }

  /** Indices in the slice of the visible blocks at a path, in any spelling, with or without a version. */
  indicesAt(path: string): number[] {
    const { path: base, version } = splitVersion(canonicalPath(path) ?? path);
    return this.#state
      .atPath(base)
      .filter((entry) => version === null || entry.version === version)
      .map((entry) => this.#state.indexOf(entry.position) - this.#start)
      .filter((index) => index >= 0);
  }

  /** Tokens shown up to and including an entry, by its index in the slice; 0 for -1. Each entry is counted once. */
  tokensThrough(index: number, countTokens: CountTokens): number {
    const { window } = this.#state;
    for (let i = this.#tokenSums.length; i <= index; i++) {
      const entry = window[this.#start + i];
      const own = entry === undefined ? 0 : this.#tokensOf(entry, countTokens);
      const before = (this.#interjected.get(i) ?? []).reduce((sum, text) => sum + countTokens(`${text}\n\n`), 0);
      this.#tokenSums.push((this.#tokenSums[i - 1] ?? 0) + before + own);
    }
    return index < 0 ? 0 : (this.#tokenSums[index] ?? 0);
  }

  /** Tokens shown before an entry, including messages there that belong to no entry. */
  tokensBefore(index: number, countTokens: CountTokens): number {
    const entry = this.entryAt(index);
    return this.tokensThrough(index, countTokens) - (entry === undefined ? 0 : this.#tokensOf(entry, countTokens));
  }

  /** Sets the model whose sealed reasoning is sent back with its blocks, and counts with them; null for none. */
  countReasoningOf(model: string | null): void {
    if (this.#reasoningOf !== model) this.#tokenSums = [];
    this.#reasoningOf = model;
  }

  #tokensOf(entry: Entry, countTokens: CountTokens): number {
    const shown = shownTokens(entry, countTokens);
    const kept = this.#reasoningOf === null || !entry.isWhole ? null : reasoningOf(entry.block);
    if (kept === null || kept.model !== this.#reasoningOf) return shown;
    const tokens =
      this.#reasoningTokens.get(entry) ??
      kept.pieces.reduce((sum, { text, options }) => sum + Math.ceil(pieceTokens(text, options, countTokens)), 0);
    this.#reasoningTokens.set(entry, tokens);
    return shown + tokens;
  }

  /** Tokens of the whole view without the tail. */
  shownTokens(countTokens: CountTokens): number {
    return this.tokensThrough(this.#emitted.length - 1, countTokens);
  }

  /** The cached sources block. The block is replaced when a different token counter is given. */
  sourcesTail(countTokens: CountTokens): SourcesTail {
    if (this.#sourcesTail?.countTokens !== countTokens) this.#sourcesTail = new SourcesTail(countTokens);
    return this.#sourcesTail;
  }

  /** The sources cited or read back in what is visible. */
  usedSources(): ReadonlySet<number> {
    return this.#usedSources.update(this.#state.window, this.#start);
  }
}
