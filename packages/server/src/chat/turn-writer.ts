/**
 * One turn as a UI message, in the AI SDK's parts. Each decision is a step. Its text is streamed; if it was not
 * streamed to this client, as after a reload, it is sent with its block. The final message is the same.
 *
 * When a decision is retried, the text of its step is withdrawn.
 */

import type { StoredEvent } from "@cairn/store";
import {
  type CitationStream,
  type CompletionView,
  type ConversationView,
  createCitationStream,
  type EventBody,
  emptyView,
  extractCitations,
  type FileView,
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
import { addReceipt, type LiveItem, NO_SPENDING } from "cairn-agent/turns";
import { chatFile, fileAddress } from "./chat-file.ts";
import { approvalId } from "./chat-request.ts";
import { outcomeOf, sourceChunk, TOOL } from "./tool-chunks.ts";
import type { UiChunk } from "./ui-chunk.ts";

export interface TurnWriterOptions {
  readonly turnId: string;
  readonly conversation: string;
  /** The path below which the API is served; empty for none. */
  readonly prefix: string;
  /** Rows of the pool when the stream began. */
  readonly sources: readonly SourceRow[];
}

type Delta = Extract<LiveItem, { type: "delta" }>;

interface OpenText {
  readonly kind: "text" | "reasoning";
  /** Replaces citation tokens with links; null for text without citations. */
  readonly citations: CitationStream | null;
  /** Received length of the stream, and the text sent so far. */
  length: number;
  shown: string;
}

export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly #open = new Map<string, OpenText>();
  #view: ConversationView;
  #spending = NO_SPENDING;
  #inStep = false;
  #ended = false;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
    // Other turns of the conversation are skipped.
    const highestSid = options.sources.reduce((highest, { sid }) => Math.max(highest, sid), 0);
    this.#view = { ...emptyView({ earlier: 1, highestSid }), sources: options.sources };
  }

  /** Whether nothing more will follow in this turn, or not before a call is approved. */
  get isOver(): boolean {
    return this.#ended;
  }

  start(): readonly UiChunk[] {
    const { conversation, turnId } = this.#options;
    return [{ type: "start", messageId: turnId, messageMetadata: { conversation_id: conversation, turn_id: turnId } }];
  }

  /** Streams whose text was shown but is not in a block yet. */
  get openStreams(): readonly string[] {
    return [...this.#open.keys()];
  }

  take(item: LiveItem): readonly UiChunk[] {
    switch (item.type) {
      case "event":
        return this.#seeEvent(item.stored);
      case "delta":
        return item.turn_id === this.#options.turnId ? this.#write(item) : [];
      case "discarded":
        return this.#takeBack(item.stream);
      case "progress":
        return [{ type: "data-progress", data: { call_id: item.call_id, text: item.text }, transient: true }];
      case "waiting":
        return [{ type: "data-waiting", data: { reason: item.reason, ms: item.ms }, transient: true }];
      case "compacting":
        return [{ type: "data-compaction", data: { before_tokens: item.before_tokens }, transient: true }];
      case "status":
        if (item.status === "waiting") return this.waitIfAsked();
        return [
          { type: "data-status", data: { status: item.status, queue_position: item.queue_position }, transient: true },
        ];
      case "ended":
        return this.#takeBack(item.stream);
      case "heartbeat":
        return this.waitIfAsked();
    }
  }

  /** Ends the message for now when the turn waits for approval. */
  waitIfAsked(): readonly UiChunk[] {
    const turn = this.#turn();
    const isAsked = this.#view.approvals.some(({ turn_id }) => turn_id === this.#options.turnId);
    if (turn === null || !isAsked || turn.rounds.some(({ status }) => status === "running")) return [];
    this.#ended = true;
    const messageMetadata = { exit: "waiting", ...this.#spending };
    const finish: UiChunk = { type: "finish", finishReason: "other", messageMetadata };
    return [...this.#closeTexts(), ...this.#endStep(), finish];
  }

  #write({ stream, kind, offset, text }: Delta): readonly UiChunk[] {
    if (kind !== "say" && kind !== "thinking") return [];
    const chunks: UiChunk[] = [...this.#beginStep()];
    const part = kind === "say" ? "text" : "reasoning";
    let open = this.#open.get(stream);
    if (open === undefined) {
      const citations =
        kind === "say" ? createCitationStream(this.#sourcesUpTo(this.#view.highest_sid), "markdown") : null;
      open = { kind: part, citations, length: 0, shown: "" };
      this.#open.set(stream, open);
      chunks.push({ type: `${part}-start`, id: stream });
    }
    const piece = text.slice(Math.max(0, open.length - offset));
    const delta = open.citations?.push(piece) ?? piece;
    open.length += piece.length;
    open.shown += delta;
    if (delta !== "") chunks.push({ type: `${part}-delta`, id: stream, delta });
    return chunks;
  }

  /** Withdraws the text of a discarded stream, because its decision is retried. */
  #takeBack(stream: string): readonly UiChunk[] {
    if (!this.#open.has(stream)) return [];
    this.#open.clear();
    return [{ type: "reset-step" }];
  }

  #beginStep(): readonly UiChunk[] {
    if (this.#inStep) return [];
    this.#inStep = true;
    return [{ type: "start-step" }];
  }

  #endStep(): readonly UiChunk[] {
    if (!this.#inStep) return [];
    this.#inStep = false;
    return [{ type: "finish-step" }];
  }

  #seeEvent(stored: StoredEvent): readonly UiChunk[] {
    const before = this.#turn();
    const event = publicEvent(stored.event);
    this.#view = viewEvent(this.#view, { seq: stored.seq, event });
    if ("unknown" in event) return [];
    const after = this.#turn();
    const chunks: UiChunk[] = [];
    if (event.kind === "block.appended" && event.body.block.turn_id === this.#options.turnId) {
      const { block } = event.body;
      const { role } = kindOf(block.type);
      if (role === "thinking") chunks.push(...this.#landThinking(block.text ?? "", `thinking-${stored.seq}`));
      if (role === "notes")
        chunks.push(...this.#land(block.text ?? "", block.path ?? `note-${stored.seq}`, statedKnown(block.meta)));
      if (role === "call") chunks.push(...this.#landCall(block.meta?.tool_call_id, after));
    }
    if (event.kind === "approval.requested" && event.body.turn_id === this.#options.turnId)
      chunks.push(...this.#askConsent(event.body, after));
    if (event.kind === "model.receipt" && event.body.turn_id === this.#options.turnId)
      this.#spending = addReceipt(this.#spending, event.body);
    chunks.push(...this.#steered(before, after));
    if (event.kind === "call.settled") chunks.push(...this.#settle(event.body.call_id, after));
    if (after !== null && after.plan !== null && after.plan !== before?.plan)
      chunks.push({ type: "data-plan", id: after.plan.id, data: after.plan });
    chunks.push(...this.#newFiles(before, after));
    if (event.kind === "turn.closed" && event.body.turn_id === this.#options.turnId)
      chunks.push(...this.#finish(after, event.body.exit));
    return chunks;
  }

  #turn(): TurnView | null {
    return this.#view.turns.find(({ turn_id }) => turn_id === this.#options.turnId) ?? null;
  }

  #sourcesUpTo(known: number): SourceLookup {
    return knownLookup((sid) => this.#view.sources.find((row) => row.sid === sid), known);
  }

  /** The text of a block: the rest if it was streamed, otherwise all of it. */
  #land(stored: string, id: string, known: number | null): readonly UiChunk[] {
    const text = replaceCitations(stored, this.#sourcesUpTo(known ?? this.#view.highest_sid), "markdown");
    const seen = [...this.#open].find(([, { kind }]) => kind === "text");
    const chunks: UiChunk[] = [];
    if (seen === undefined) {
      chunks.push(...this.#beginStep(), { type: "text-start", id }, { type: "text-delta", id, delta: text });
      chunks.push({ type: "text-end", id });
    } else {
      const [stream, { shown }] = seen;
      const rest = text.startsWith(shown) ? text.slice(shown.length) : "";
      if (rest !== "") chunks.push({ type: "text-delta", id: stream, delta: rest });
    }
    return [...chunks, ...this.#closeTexts()];
  }

  /** Reasoning that was not streamed to this client. */
  #landThinking(text: string, id: string): readonly UiChunk[] {
    if (text === "" || [...this.#open.values()].some(({ kind }) => kind === "reasoning")) return [];
    const delta: UiChunk = { type: "reasoning-delta", id, delta: text };
    return [...this.#beginStep(), { type: "reasoning-start", id }, delta, { type: "reasoning-end", id }];
  }

  #closeTexts(): readonly UiChunk[] {
    const chunks = [...this.#open].map(([id, { kind }]): UiChunk => ({ type: `${kind}-end`, id }));
    this.#open.clear();
    return chunks;
  }

  #landCall(callId: unknown, turn: TurnView | null): readonly UiChunk[] {
    const round = turn?.rounds.find(({ call_id }) => call_id === callId);
    if (round === undefined) return [];
    const { call_id: toolCallId, tool_id: toolName, params: input } = round;
    return [
      ...this.#closeTexts(),
      ...this.#beginStep(),
      { type: "tool-input-available", toolCallId, toolName, input, ...TOOL },
    ];
  }

  /** Shows the input again as it will run: references bound, and nothing cut. */
  #askConsent(asked: EventBody<"approval.requested">, turn: TurnView | null): readonly UiChunk[] {
    const { call_id: toolCallId, hash, params: input } = asked;
    const toolName = turn?.rounds.find(({ call_id }) => call_id === toolCallId)?.tool_id;
    const shown: UiChunk[] =
      toolName === undefined ? [] : [{ type: "tool-input-available", toolCallId, toolName, input, ...TOOL }];
    return [...shown, { type: "tool-approval-request", approvalId: approvalId(toolCallId, hash), toolCallId }];
  }

  /** The step ends when none of its calls is open. */
  #settle(callId: string, turn: TurnView | null): readonly UiChunk[] {
    const round = turn?.rounds.find(({ call_id }) => call_id === callId);
    if (round === undefined) return [];
    const isLast = turn?.rounds.every(({ status }) => status !== "running" && status !== "waiting_approval") === true;
    return [outcomeOf(round), ...(isLast ? this.#endStep() : [])];
  }

  #newFiles(before: TurnView | null, after: TurnView | null): readonly UiChunk[] {
    if (after === null || after.files === before?.files) return [];
    const known = new Set(before?.files ?? []);
    return after.files.filter((file) => !known.has(file)).flatMap((file) => this.#fileChunks(file));
  }

  #fileChunks(file: FileView): readonly UiChunk[] {
    const url = fileAddress(this.#options, file);
    const artifact: UiChunk = { type: "data-artifact", id: file.path, data: { ...file, url } };
    return url === null
      ? [artifact]
      : [artifact, { type: "file", url, mediaType: file.mime ?? "application/octet-stream" }];
  }

  /** Messages of the user that became part of the turn. */
  #steered(before: TurnView | null, after: TurnView | null): readonly UiChunk[] {
    const { turnId } = this.#options;
    const known = before?.inputs.length ?? 0;
    const added = (after?.inputs ?? []).slice(known).map(
      ({ text, attachments }, index): UiChunk => ({
        type: "steering-message",
        id: `${turnId}.prompt.${known + index + 2}`,
        parts: [{ type: "text", text }, ...attachments.flatMap((file) => chatFile(this.#options, file))],
      }),
    );
    return added.length === 0 ? [] : [...this.#closeTexts(), ...added];
  }

  #finish(turn: TurnView | null, exit: string): readonly UiChunk[] {
    this.#ended = true;
    const { completion = null, followups = [], error = null } = turn ?? {};
    const messageMetadata = { exit, ...this.#spending, ...(error === null ? {} : { error }) };
    const chunks: UiChunk[] = [];
    if (completion !== null)
      chunks.push(...this.#land(completion.text, completion.path ?? "completion", completion.sources_known));
    chunks.push(...this.#closeTexts(), ...(completion === null ? [] : this.#cited(completion)));
    if (followups.length > 0) chunks.push({ type: "data-followups", data: followups });
    chunks.push(...this.#endStep());
    if (exit === "cancelled" || exit === "error" || exit === "quarantined") {
      const errorText = error?.message ?? "The turn failed.";
      const end: UiChunk =
        exit === "cancelled" ? { type: "abort", reason: "The turn was cancelled." } : { type: "error", errorText };
      return [...chunks, { type: "message-metadata", messageMetadata }, end];
    }
    const finishReason = exit === "complete" || exit === "clarify" ? "stop" : "other";
    return [...chunks, { type: "finish", finishReason, messageMetadata }];
  }

  #cited({ text, sources_known }: CompletionView): readonly UiChunk[] {
    const cited = new Set(extractCitations(text, "markdown"));
    return this.#view.sources.filter(({ sid }) => sid <= sources_known && cited.has(sid)).map(sourceChunk);
  }
}
