/**
 * Reports one turn as changes that a reader can show. Text is reported while it is written. Missed text, for example
 * during a restart, is reported with its block, so the reported text is always complete. Citations become links.
 *
 * The parts of a run (`run-parts.ts`) and the chunks of an AI SDK client are made from these changes.
 */
import type { StoredEvent } from "@cairn/store";
import {
  type ApprovalView,
  type Block,
  type CitationStream,
  type ConversationView,
  createCitationStream,
  emptyView,
  type FileView,
  type InputView,
  kindOf,
  knownSources,
  type PlanView,
  publicEvent,
  type RoundView,
  replaceCitations,
  type SourceLookup,
  type SourceRow,
  sourcesKnownIn,
  type TurnView,
  viewEvent,
} from "@cairn/timeline";
import type { LiveItem } from "../live/live-item.ts";
import { addReceipt, NO_SPENDING, type RunSpending } from "./run-spending.ts";

type Delta = Extract<LiveItem, { type: "delta" }>;
/** Live items that are passed on unchanged. */
type PassingItem = Exclude<LiveItem, { type: "event" | "delta" | "discarded" | "ended" }>;

export type TurnChange =
  /** A piece of a text; the pieces of one text have the same id. The first piece may be empty. */
  | {
      readonly type: "text";
      readonly kind: "text" | "reasoning";
      readonly id: string;
      readonly text: string;
      readonly isFirst: boolean;
    }
  | { readonly type: "text_ended"; readonly kind: "text" | "reasoning"; readonly id: string }
  /** Withdraws these texts, because the model makes the decision again. */
  | { readonly type: "texts_withdrawn"; readonly ids: readonly string[] }
  /** A piece of the input of a call, as JSON, while the model writes it. `call` follows with the same id. */
  | {
      readonly type: "call_input";
      readonly call_id: string;
      readonly tool_id: string;
      readonly text: string;
      readonly isFirst: boolean;
    }
  /** A call that the model made. It is reported again if its approver changed the input. */
  | { readonly type: "call"; readonly round: RoundView }
  /** A call that started, waits for approval or has its outcome. */
  | { readonly type: "round"; readonly round: RoundView; readonly notices: TurnView["notices"] }
  /** A call of any turn that waits for approval. */
  | { readonly type: "approval"; readonly approval: ApprovalView }
  /** A message of the user that became part of the turn. `number`: 1 for the first one. */
  | { readonly type: "input"; readonly input: InputView; readonly number: number }
  | { readonly type: "source"; readonly source: SourceRow }
  | { readonly type: "plan"; readonly plan: PlanView }
  | { readonly type: "file"; readonly file: FileView }
  | { readonly type: "notice"; readonly notice: TurnView["notices"][number] }
  | { readonly type: "closed"; readonly exit: string }
  /** The message was withdrawn, so the turn will not begin. */
  | { readonly type: "withdrawn" }
  | PassingItem;

export interface TurnChangesOptions {
  readonly turnId: string;
  /** The key of the message that opens the turn; null if the turn is open already. */
  readonly message?: string | null;
  /** The sources that the conversation had before the turn. */
  readonly sources: readonly SourceRow[];
  /** Calls that already wait for approval. */
  readonly approvals?: readonly ApprovalView[];
}

interface OpenText {
  readonly kind: "text" | "reasoning";
  /** Replaces citation tokens with links; null for text without citations. */
  readonly citations: CitationStream | null;
  /** The received length and the reported text of each stream. */
  length: number;
  shown: string;
}

export class TurnChanges {
  readonly #turnId: string;
  readonly #message: string | null;
  readonly #open = new Map<string, OpenText>();
  /** Inputs of calls that are not in a block yet: the length received, by stream and call. */
  readonly #inputs = new Map<string, { readonly callId: string; length: number }>();
  readonly #told = new Set<unknown>();
  #view: ConversationView;
  /** The sources of the view by id, at the time of the last lookup. */
  #pool: { readonly sources: readonly SourceRow[]; readonly bySid: ReadonlyMap<number, SourceRow> };
  #spending = NO_SPENDING;
  #isWithdrawn = false;

  constructor({ turnId, message = null, sources, approvals = [] }: TurnChangesOptions) {
    this.#turnId = turnId;
    this.#message = message;
    const highestSid = sources.reduce((highest, { sid }) => Math.max(highest, sid), 0);
    // Events of other turns are skipped.
    this.#view = { ...emptyView({ earlier: 1, highestSid }), sources, approvals };
    this.#pool = { sources: [], bySid: new Map() };
  }

  get view(): ConversationView {
    return this.#view;
  }

  /** The turn as it is known so far; null before it begins. */
  get turn(): TurnView | null {
    return this.#view.turns.find(({ turn_id }) => turn_id === this.#turnId) ?? null;
  }

  /** Whether the message was withdrawn before a turn took it. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  get spending(): RunSpending {
    return this.#spending;
  }

  /** The text of the answer with its citations as links. */
  get text(): string {
    const completion = this.turn?.completion ?? null;
    return completion === null ? "" : this.#linked(completion.text, completion.sources_known);
  }

  /** Streams whose text was reported but is not in a block yet. */
  get openStreams(): readonly string[] {
    return [...this.#open.keys(), ...this.#inputs.keys()];
  }

  take(item: LiveItem): readonly TurnChange[] {
    switch (item.type) {
      case "event":
        return this.#seeEvent(item.stored);
      case "delta":
        return item.turn_id === this.#turnId ? this.#write(item) : [];
      case "discarded":
      case "ended":
        return this.#withdraw(item.stream);
      default:
        return [item];
    }
  }

  endTexts(): readonly TurnChange[] {
    const ended = [...this.#open].map(([id, { kind }]): TurnChange => ({ type: "text_ended", kind, id }));
    this.#open.clear();
    return ended;
  }

  #write({ stream: id, kind: given, offset, text, call_id, tool_id }: Delta): readonly TurnChange[] {
    if (call_id !== undefined && tool_id !== undefined) {
      const known = this.#inputs.get(id);
      const { length } = known ?? { length: 0 };
      const piece = text.slice(Math.max(0, length - offset));
      this.#inputs.set(id, { callId: call_id, length: length + piece.length });
      return [{ type: "call_input", call_id, tool_id, text: piece, isFirst: known === undefined }];
    }
    if (given !== "say" && given !== "thinking") return [];
    const kind = given === "say" ? "text" : "reasoning";
    const known = this.#open.get(id);
    const open = known ?? this.#openText(id, kind);
    const piece = text.slice(Math.max(0, open.length - offset));
    const shown = open.citations?.push(piece) ?? piece;
    open.length += piece.length;
    open.shown += shown;
    return [{ type: "text", kind, id, text: shown, isFirst: known === undefined }];
  }

  #openText(id: string, kind: OpenText["kind"]): OpenText {
    const lookup = this.#sourcesUpTo(this.#view.highest_sid);
    const citations = kind === "text" ? createCitationStream(lookup, "markdown") : null;
    const open = { kind, citations, length: 0, shown: "" };
    this.#open.set(id, open);
    return open;
  }

  #withdraw(stream: string): readonly TurnChange[] {
    if (!this.#open.has(stream) && !this.#inputs.has(stream)) return [];
    const ids = [...this.#open.keys()];
    this.#open.clear();
    this.#inputs.clear();
    return [{ type: "texts_withdrawn", ids }];
  }

  #seeEvent({ seq, event: stored }: StoredEvent): readonly TurnChange[] {
    const event = publicEvent(stored);
    const inputs = this.turn?.inputs.length ?? 0;
    this.#view = viewEvent(this.#view, { seq, event });
    if ("unknown" in event) return [];
    const changes: TurnChange[] = [];
    if (event.kind === "block.appended" && event.body.block.turn_id === this.#turnId)
      changes.push(...this.#seeBlock(event.body.block, seq));
    if (event.kind === "sources.merged") {
      const merged = new Set(event.body.rows.map(({ sid }) => sid));
      for (const source of this.#view.sources) if (merged.has(source.sid)) changes.push({ type: "source", source });
    }
    if (event.kind === "model.receipt" && event.body.turn_id === this.#turnId)
      this.#spending = addReceipt(this.#spending, event.body);
    if (event.kind === "approval.requested") {
      const approval = this.#view.approvals.find(({ call_id }) => call_id === event.body.call_id);
      if (approval !== undefined) changes.push({ type: "approval", approval });
    }
    const { turn } = this;
    if (event.kind === "approval.given" && event.body.params !== undefined) {
      const round = turn?.rounds.find(({ call_id }) => call_id === event.body.call_id);
      if (round !== undefined) changes.push({ type: "call", round });
    }
    if (event.kind === "input.withdrawn" && turn === null && event.body.messages.some((key) => key === this.#message)) {
      this.#isWithdrawn = true;
      changes.push({ type: "withdrawn" });
    }
    if (turn !== null) changes.push(...this.#news(turn, inputs));
    if (event.kind === "turn.closed" && event.body.turn_id === this.#turnId) {
      const { completion = null } = turn ?? {};
      if (completion !== null)
        changes.push(...this.#land(completion.text, completion.path ?? "completion", completion.sources_known));
      changes.push(...this.endTexts(), { type: "closed", exit: event.body.exit });
    }
    return changes;
  }

  #seeBlock(block: Block, seq: number): readonly TurnChange[] {
    const { text = "", path, meta } = block;
    switch (kindOf(block.type).role) {
      case "thinking":
        return this.#landThinking(text, `thinking-${seq}`);
      case "notes":
        return this.#land(text, path ?? `note-${seq}`, sourcesKnownIn(meta));
      case "call": {
        const round = this.turn?.rounds.find(({ call_id }) => call_id === meta?.tool_call_id);
        for (const [stream, { callId }] of this.#inputs) if (callId === round?.call_id) this.#inputs.delete(stream);
        return [...this.endTexts(), ...(round === undefined ? [] : [{ type: "call" as const, round }])];
      }
      default:
        return [];
    }
  }

  /** The changes in the view of the turn. Unchanged parts of a view stay the same object. */
  #news(turn: TurnView, inputs: number): readonly TurnChange[] {
    const isNew = (part: unknown) => {
      const wasTold = this.#told.has(part);
      this.#told.add(part);
      return !wasTold;
    };
    const rounds = turn.rounds.filter(({ call_id, status, started_at, settled_at }) =>
      isNew(`${call_id} ${status} ${started_at !== null} ${settled_at !== null}`),
    );
    const plans = turn.plan === null ? [] : [turn.plan];
    return [
      ...turn.inputs
        .slice(inputs)
        .map((input, index): TurnChange => ({ type: "input", input, number: inputs + index + 1 })),
      ...rounds.map((round): TurnChange => ({ type: "round", round, notices: turn.notices })),
      ...plans.filter(isNew).map((plan): TurnChange => ({ type: "plan", plan })),
      ...turn.files.filter(isNew).map((file): TurnChange => ({ type: "file", file })),
      ...turn.notices.filter(isNew).map((notice): TurnChange => ({ type: "notice", notice })),
    ];
  }

  /**
   * Reports the text of a block, except what was reported while it was written. The reported text is withdrawn if the
   * stored text differs, because a hook replaced it, or because it is a value without the words around it.
   */
  #land(stored: string, id: string, known: number | null): readonly TurnChange[] {
    const text = this.#linked(stored, known);
    const seen = [...this.#open].find(([, { kind }]) => kind === "text");
    if (seen === undefined) return [...wholeText("text", id, text), ...this.endTexts()];
    const [stream, { shown }] = seen;
    const rest = restOf(text, shown);
    const ended = this.endTexts();
    if (rest === null) return [...ended, { type: "texts_withdrawn", ids: [stream] }, ...wholeText("text", id, text)];
    return rest === "" ? ended : [{ type: "text", kind: "text", id: stream, text: rest, isFirst: false }, ...ended];
  }

  /** Reports reasoning that was not reported while it was written. */
  #landThinking(text: string, id: string): readonly TurnChange[] {
    const isSeen = [...this.#open.values()].some(({ kind }) => kind === "reasoning");
    return text === "" || isSeen ? [] : wholeText("reasoning", id, text);
  }

  #linked(text: string, known: number | null): string {
    return replaceCitations(text, this.#sourcesUpTo(known ?? this.#view.highest_sid), "markdown");
  }

  #sourcesUpTo(known: number): SourceLookup {
    return knownSources((sid) => this.#source(sid), known);
  }

  #source(sid: number): SourceRow | undefined {
    const { sources } = this.#view;
    if (this.#pool.sources !== sources) this.#pool = { sources, bySid: new Map(sources.map((row) => [row.sid, row])) };
    return this.#pool.bySid.get(sid);
  }
}

/** The part of the text that was not shown yet; null if the shown text differs. Space at the ends is ignored. */
function restOf(text: string, shown: string): string | null {
  const [all, seen] = [text.trimStart(), shown.trimStart()];
  if (all.startsWith(seen)) return all.slice(seen.length);
  return seen.startsWith(all.trimEnd()) ? "" : null;
}

function wholeText(kind: OpenText["kind"], id: string, text: string): readonly TurnChange[] {
  return [
    { type: "text", kind, id, text, isFirst: true },
    { type: "text_ended", kind, id },
  ];
}
