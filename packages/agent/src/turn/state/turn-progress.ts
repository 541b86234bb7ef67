/** The changing part of a turn. Each method records something that happened; a restart derives it from the journal. */
import {
  applyReceipt,
  type DeclaredReset,
  type FileKind,
  type FileLimits,
  type Receipt,
  type RefusedRequest,
  type RenderedView,
  type RenderOptions,
  type RequestChain,
} from "@cairn/timeline";
import type { TitleAnswer } from "../../gate/title.ts";
import type { Model, ModelUsage } from "../../model/model.ts";
import type { DecisionPiece } from "../../protocol/decision.ts";
import type { Unfinished } from "../../protocol/unfinished.ts";
import type { CacheMemory } from "../../receipt/cache-memory.ts";
import type { RecalledRequests } from "../../receipt/recall-requests.ts";
import type { Spent } from "./budget.ts";
import type { EarlierLife, FellBack } from "./earlier-life.ts";
import type { Reasoned } from "./kept-reasoning.ts";

/** A decision that is shown while the model writes it. */
export interface LiveDecision {
  /** Everything received so far: the text, then each text of a call under its path. */
  readonly partial: string;
  /** Names of the streams of the calls, by the number of the call. */
  readonly ofCalls: ReadonlyMap<number, string>;
  /** Ids of the calls whose input is shown, by number. The calls get these ids. */
  readonly callIds: ReadonlyMap<number, string>;
  take(piece: DecisionPiece): void;
  /** Shows text that was held back and waits for pending saves. */
  end(): Promise<void>;
}

export interface TurnBeginning {
  readonly earlier: EarlierLife;
  readonly recalled: RecalledRequests;
  /** Kinds of files that the model does not accept. */
  readonly describes: Iterable<FileKind>;
  /** The model that a fallback replaces; null while the agent's own model answers. */
  readonly fellBack: FellBack | null;
  /** Models that may be tried when the current one fails, in order. */
  readonly others: readonly Model[];
  /** The highest SID at the time of the request. */
  readonly sourcesKnown: number;
}

export class TurnProgress {
  readonly #keptTexts: Set<string>;
  readonly #others: Model[];
  readonly #toldSettings = new Set<string>();
  #spent: Spent;
  #chain: RequestChain | null;
  #memory: CacheMemory;
  #previousView: RenderedView | null = null;
  #notices: readonly string[];
  #refused: RefusedRequest | null = null;
  #resets: readonly DeclaredReset[];
  #title: Promise<TitleAnswer | null> | null = null;
  #describes: ReadonlySet<FileKind>;
  #sourcesKnown: number;
  #files: FileLimits | null = null;
  #fellBack: FellBack | null;
  #violations: number;
  #lastDecision: string | null;
  #unfinished: Unfinished | null;
  #live: LiveDecision | null = null;
  #reasoned: Reasoned | null = null;
  #thinking: string[] = [];

  constructor({ earlier, recalled, describes, fellBack, others, sourcesKnown }: TurnBeginning) {
    this.#spent = earlier.spent;
    this.#violations = earlier.violations;
    this.#lastDecision = earlier.lastDecision;
    this.#unfinished = earlier.unfinished;
    this.#chain = recalled.chain;
    this.#memory = recalled.memory;
    this.#resets = recalled.resets;
    this.#notices = recalled.notices;
    this.#keptTexts = new Set(recalled.keptTexts);
    this.#describes = new Set(describes);
    this.#fellBack = fellBack;
    this.#others = [...others];
    this.#sourcesKnown = sourcesKnown;
  }

  get spent(): Spent {
    return this.#spent;
  }

  /** Counts a request that is not a decision and has no receipt. */
  spendAside({ input, output }: ModelUsage, dollars: number): void {
    const { tokens, dollars: before } = this.#spent;
    this.#spent = { ...this.#spent, tokens: tokens + input + output, dollars: before + dollars };
  }

  /** The last request, to which the next receipt refers; null if there is none. */
  get chain(): RequestChain | null {
    return this.#chain;
  }

  /** The predicted contents of the provider's cache. */
  get memory(): CacheMemory {
    return this.#memory;
  }

  /** The view of the previous request, if this process made it. */
  get previousView(): RenderedView | null {
    return this.#previousView;
  }

  /** The end of the last request, so that checkpoints are at the same places after a restart. */
  get previousEnd(): Pick<RenderOptions, "previousLength"> {
    return this.#chain === null || this.#resets.length > 0 ? {} : { previousLength: this.#chain.length };
  }

  /** Texts that the next answered request announces once. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  announceOnce(...notices: readonly string[]): void {
    this.#notices = [...this.#notices, ...notices];
  }

  /** A request for a decision was answered, so its notices have been read. */
  noteAnswer(): void {
    this.#notices = [];
  }

  /** Changes of the prefix since the last receipt, which the next receipt declares. */
  get resets(): readonly DeclaredReset[] {
    return this.#resets;
  }

  declare(...resets: readonly DeclaredReset[]): void {
    this.#resets = [...this.#resets, ...resets];
  }

  /** Overlays now hide blocks that were already sent, so the next view does not begin with the previous one. */
  declareCovered(reset: DeclaredReset): void {
    this.declare(reset);
    this.#previousView = null;
  }

  /** A request that a provider rejected as too large, until a receipt records it. */
  get refused(): RefusedRequest | null {
    return this.#refused;
  }

  noteRefused(refused: RefusedRequest): void {
    this.#refused = refused;
  }

  /** Whether the texts of a receipt with this reference are stored. */
  hasText(ref: string): boolean {
    return this.#keptTexts.has(ref);
  }

  noteText(ref: string): void {
    this.#keptTexts.add(ref);
  }

  /** Stores the receipt, with which the next receipt is compared. */
  noteReceipt(receipt: Receipt, view: RenderedView, spent: Spent): void {
    this.#chain = applyReceipt(this.#chain, receipt);
    this.#previousView = view;
    this.#spent = spent;
    this.#resets = [];
    this.#refused = null;
  }

  /** The highest SID at the time of the last request. Its answer cannot cite later sources. */
  get sourcesKnown(): number {
    return this.#sourcesKnown;
  }

  noteRendered(sourcesKnown: number): void {
    this.#sourcesKnown = sourcesKnown;
  }

  /** Kinds of files that the model does not accept, from the registry or learned from its errors. */
  get describes(): ReadonlySet<FileKind> {
    return this.#describes;
  }

  describeFiles(kind: FileKind): void {
    this.#describes = new Set([...this.#describes, kind]);
  }

  /** Limits on files learned from the model's errors; null to use the registry's. */
  get files(): FileLimits | null {
    return this.#files;
  }

  limitFiles(limits: FileLimits): void {
    this.#files = limits;
  }

  /** The model that a fallback replaces; null while the agent's own model answers. */
  get fellBack(): FellBack | null {
    return this.#fellBack;
  }

  /** Models that may be tried when the current one fails. */
  get others(): readonly Model[] {
    return this.#others;
  }

  /** The next model to try; undefined when there is none. A model that failed is not tried again in this turn. */
  takeOther(): Model | undefined {
    return this.#others.shift();
  }

  /** Another model answers from now on. Everything learned about the previous model is discarded. */
  fallBack(failed: string, at: number, memory: CacheMemory, describes: Iterable<FileKind>): void {
    this.#memory = memory;
    this.#describes = new Set(describes);
    this.#files = null;
    this.#refused = null;
    this.#fellBack = { from: this.#fellBack?.from ?? failed, at };
  }

  /** The fingerprint of the last decision that was carried out. */
  get lastDecision(): string | null {
    return this.#lastDecision;
  }

  noteDecision(fingerprint: string | null): void {
    this.#violations = 0;
    this.#lastDecision = fingerprint;
  }

  noteViolation(): number {
    return ++this.#violations;
  }

  /** Whether this process still has to tell the user about this rejected setting. */
  tellsSetting(setting: string): boolean {
    const isNew = !this.#toldSettings.has(setting);
    this.#toldSettings.add(setting);
    return isNew;
  }

  /** An unfinished answer, whose rest the next request asks for. */
  get unfinished(): Unfinished | null {
    return this.#unfinished;
  }

  continueWith(unfinished: Unfinished | null): void {
    this.#unfinished = unfinished;
  }

  /** Keeps the last answer, so that its blocks can store its sealed reasoning. Null for an answer without any. */
  noteReasoned(reasoned: Reasoned | null): void {
    this.#reasoned = reasoned;
  }

  /** Returns the value stored by `noteReasoned`, and forgets it. */
  takeReasoned(): Reasoned | null {
    const reasoned = this.#reasoned;
    this.#reasoned = null;
    return reasoned;
  }

  /** Keeps the readable reasoning of an answer, or of a part of it. */
  noteThinking(text: string): void {
    if (text !== "") this.#thinking.push(text);
  }

  /** Returns the reasoning since the last decision that was carried out, and clears it. */
  takeThinking(): string {
    return this.#thinking.splice(0).join("\n\n");
  }

  /** The live display of the unfinished answer; null if a new display must begin with the answer's first part. */
  get live(): LiveDecision | null {
    return this.#live;
  }

  keepLive(live: LiveDecision | null): void {
    this.#live = live;
  }

  /** Ends the live display. A stream may end only after the last write of its text. */
  async endLive(): Promise<void> {
    await this.#live?.end();
    this.#live = null;
  }

  /** Keeps the running request for a title, for `takeTitle`. */
  awaitTitle(title: Promise<TitleAnswer | null>): void {
    this.#title = title;
  }

  /** Waits for the answer to the request for a title. Null if there was no request, or its answer was already taken. */
  async takeTitle(): Promise<TitleAnswer | null> {
    const answer = await this.#title;
    this.#title = null;
    return answer;
  }
}
