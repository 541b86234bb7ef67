/**
 * One turn as parts. Text is reported while it is written. Text that was missed, for example during a restart, is
 * reported with its block, so the whole text is always the same. Citations become links.
 */
import type { StoredEvent } from "@cairn/store";
import {
  type ApprovalView,
  type CitationStream,
  type ConversationView,
  createCitationStream,
  emptyView,
  kindOf,
  knownLookup,
  publicEvent,
  replaceCitations,
  type SourceLookup,
  type SourceRow,
  statedKnown,
  type TurnView,
  viewEvent,
} from "@cairn/timeline";
import type { LiveItem } from "../live/live-item.ts";
import { roundPart } from "./round-part.ts";
import type { Approval, NoticePart, RunPart } from "./run-part.ts";
import { addReceipt, NO_SPENDING, type RunSpending } from "./run-spending.ts";

export interface PartWriterOptions {
  readonly turnId: string;
  /** Rows of the pool when the run began. */
  readonly sources: readonly SourceRow[];
  /** Calls that wait for approval. */
  readonly approvals: readonly ApprovalView[];
  /** Makes the part of a call that waits for approval. */
  readonly ask: (approval: Approval) => RunPart;
}

type Delta = Extract<LiveItem, { type: "delta" }>;

interface OpenText {
  readonly type: "text" | "reasoning";
  readonly citations: CitationStream | null;
  /** Received length of the stream, and the text reported so far. */
  length: number;
  shown: string;
}

export class PartWriter {
  readonly #options: PartWriterOptions;
  readonly #open = new Map<string, OpenText>();
  readonly #told = new Set<unknown>();
  #view: ConversationView;
  #spending = NO_SPENDING;

  constructor(options: PartWriterOptions) {
    this.#options = options;
    const { sources, approvals } = options;
    const highestSid = sources.reduce((highest, { sid }) => Math.max(highest, sid), 0);
    // Other turns of the conversation are skipped.
    this.#view = { ...emptyView({ earlier: 1, highestSid }), sources, approvals };
  }

  /** The turn as far as it is known; null before it begins. */
  get turn(): TurnView | null {
    return this.#view.turns.find(({ turn_id }) => turn_id === this.#options.turnId) ?? null;
  }

  get sources(): readonly SourceRow[] {
    return this.#view.sources;
  }

  get spending(): RunSpending {
    return this.#spending;
  }

  get isClosed(): boolean {
    return this.turn !== null && this.turn.exit !== null;
  }

  /** The calls that wait for approval: of this turn, or of an earlier one that has to end first. */
  get approvals(): readonly Approval[] {
    return this.#view.approvals.map(approvalOf);
  }

  /** Whether nothing happens before a person answers. `answered`: calls that were just answered. */
  isWaiting(answered: ReadonlySet<string>): boolean {
    const asked = new Set(this.#view.approvals.map(({ call_id }) => call_id).filter((id) => !answered.has(id)));
    const rounds = this.#view.turns.flatMap((turn) => turn.rounds);
    return asked.size > 0 && rounds.every(({ call_id, settled_at }) => settled_at !== null || asked.has(call_id));
  }

  /** Streams whose text was reported but is not in a block yet. */
  get openStreams(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** The calls that waited for approval before the run began. */
  start(): readonly RunPart[] {
    return this.#view.approvals.map((approval) => this.#ask(approval));
  }

  take(item: LiveItem): readonly RunPart[] {
    switch (item.type) {
      case "event":
        return this.#seeEvent(item.stored);
      case "delta":
        return item.turn_id === this.#options.turnId ? this.#write(item) : [];
      case "discarded":
      case "ended":
        return this.#takeBack(item.stream);
      case "progress":
        return [notice("progress", item.text, item.call_id)];
      case "waiting":
        return [notice("model_waiting", item.reason)];
      case "compacting":
        return [notice("compaction", "The conversation no longer fits the model's window and is being summarised.")];
      case "status":
      case "heartbeat":
        return [];
    }
  }

  /** The text of the answer with its citations as links. */
  get text(): string {
    const completion = this.turn?.completion ?? null;
    return completion === null ? "" : this.#linked(completion.text, completion.sources_known);
  }

  #write({ stream, kind, offset, text }: Delta): readonly RunPart[] {
    if (kind !== "say" && kind !== "thinking") return [];
    const type: OpenText["type"] = kind === "say" ? "text" : "reasoning";
    const lookup = this.#sourcesUpTo(this.#view.highest_sid);
    const citations = kind === "say" ? createCitationStream(lookup, "markdown") : null;
    const open = this.#open.get(stream) ?? { type, citations, length: 0, shown: "" };
    this.#open.set(stream, open);
    const piece = text.slice(Math.max(0, open.length - offset));
    const shown = open.citations?.push(piece) ?? piece;
    open.length += piece.length;
    open.shown += shown;
    return shown === "" ? [] : [{ type, id: stream, text: shown }];
  }

  /** The text of a discarded stream is invalid, because the model makes the decision again. */
  #takeBack(stream: string): readonly RunPart[] {
    if (!this.#open.delete(stream)) return [];
    return [notice("text_withdrawn", "The model is asked again. Discard its text so far.", stream)];
  }

  #seeEvent(stored: StoredEvent): readonly RunPart[] {
    const { turnId } = this.#options;
    const event = publicEvent(stored.event);
    this.#view = viewEvent(this.#view, { seq: stored.seq, event });
    if ("unknown" in event) return [];
    const parts: RunPart[] = [];
    if (event.kind === "block.appended" && event.body.block.turn_id === turnId) {
      const { block } = event.body;
      const { role } = kindOf(block.type);
      if (role === "notes") parts.push(...this.#land(block.text ?? "", block.path, statedKnown(block.meta)));
      if (role === "call") this.#open.clear();
    }
    if (event.kind === "sources.merged") {
      const merged = new Set(event.body.rows.map(({ sid }) => sid));
      for (const source of this.#view.sources) if (merged.has(source.sid)) parts.push({ type: "source", source });
    }
    if (event.kind === "model.receipt" && event.body.turn_id === turnId)
      this.#spending = addReceipt(this.#spending, event.body);
    if (event.kind === "approval.requested") {
      const asked = this.#view.approvals.find(({ call_id }) => call_id === event.body.call_id);
      if (asked !== undefined) parts.push(this.#ask(asked));
    }
    parts.push(...this.#changes());
    if (event.kind === "turn.closed" && event.body.turn_id === turnId) {
      const { completion = null } = this.turn ?? {};
      if (completion !== null) parts.push(...this.#land(completion.text, completion.path, completion.sources_known));
      this.#open.clear();
    }
    return parts;
  }

  /** The parts that are new in the view of the turn. */
  #changes(): readonly RunPart[] {
    const { turn } = this;
    if (turn === null) return [];
    const rounds = turn.rounds
      .filter(({ status, started_at }) => status !== "waiting_approval" && started_at !== null)
      .map(roundPart)
      .filter(({ id, status }) => this.#isNew(`${id} ${status}`));
    return [
      ...rounds,
      ...this.#news(turn.files).map((file): RunPart => ({ type: "file", file })),
      ...this.#news([turn.plan]).map((plan): RunPart => ({ type: "plan", plan })),
      ...this.#news(turn.notices).map(({ code, message, call_id }): RunPart => notice(code, message, call_id)),
    ];
  }

  /** The items that were not reported yet. Unchanged parts of a view stay the same object. */
  #news<T>(given: readonly (T | null | undefined)[]): readonly T[] {
    return given.filter((each): each is T => each !== null && each !== undefined && this.#isNew(each));
  }

  #isNew(told: unknown): boolean {
    if (this.#told.has(told)) return false;
    this.#told.add(told);
    return true;
  }

  #ask(approval: ApprovalView): RunPart {
    return this.#options.ask(approvalOf(approval));
  }

  #sourcesUpTo(known: number): SourceLookup {
    return knownLookup((sid) => this.#view.sources.find((row) => row.sid === sid), known);
  }

  #linked(text: string, known: number | null): string {
    return replaceCitations(text, this.#sourcesUpTo(known ?? this.#view.highest_sid), "markdown");
  }

  /** The text of a block: the rest if it was reported as it was written, otherwise all of it. */
  #land(stored: string, path: string | null | undefined, known: number | null): readonly RunPart[] {
    const text = this.#linked(stored, known);
    const seen = [...this.#open].find(([, { type }]) => type === "text");
    this.#open.clear();
    if (seen === undefined) return text === "" ? [] : [{ type: "text", id: path ?? this.#options.turnId, text }];
    const [id, { shown }] = seen;
    const rest = text.startsWith(shown) ? text.slice(shown.length) : "";
    return rest === "" ? [] : [{ type: "text", id, text: rest }];
  }
}

function notice(code: string, message: string, id: string | null = null): NoticePart {
  return { type: "notice", code, message, id };
}

export function approvalOf(view: ApprovalView): Approval {
  const { call_id: id, tool_id: tool, params: input, hash, turn_id: turn, question } = view;
  return { id, tool, input, hash, turn, ...(question === undefined ? {} : { question }) };
}
