/**
 * One turn as a UI message, in the AI SDK's parts. Each decision is a step. Its text is streamed; text that was not
 * streamed to this client, as before a reload, is sent with its block. The final message is the same.
 *
 * When a decision is retried, the text of its step is withdrawn.
 */
import {
  type ApprovalView,
  type CompletionView,
  extractCitations,
  type FileView,
  type RoundView,
  type SourceRow,
} from "@cairn/timeline";
import { type LiveItem, type TurnChange, TurnChanges } from "cairn-agent/turns";
import { type ChatPlace, chatFile, fileAddress } from "./chat-file.ts";
import { approvalId } from "./chat-request.ts";
import { outcomeOf, runBy, sourceChunk } from "./tool-chunks.ts";
import type { UiChunk } from "./ui-chunk.ts";

export interface TurnWriterOptions extends ChatPlace {
  readonly turnId: string;
  /** The key of the message that opens the turn; null if the turn is already open. */
  readonly message?: string | null;
  /** The sources that the conversation had when the stream began. */
  readonly sources: readonly SourceRow[];
}

export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly #changes: TurnChanges;
  #inStep = false;
  #ended = false;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
    this.#changes = new TurnChanges(options);
  }

  /** Whether the message is complete: nothing more follows in this turn, or not before a call is approved. */
  get isOver(): boolean {
    return this.#ended;
  }

  start(): readonly UiChunk[] {
    const { conversation, turnId } = this.#options;
    return [{ type: "start", messageId: turnId, messageMetadata: { conversation_id: conversation, turn_id: turnId } }];
  }

  /** Streams whose text was shown but is not in a block yet. */
  get openStreams(): readonly string[] {
    return this.#changes.openStreams;
  }

  take(item: LiveItem): readonly UiChunk[] {
    return this.#changes.take(item).flatMap((change) => this.#write(change));
  }

  /** Ends the message if the turn waits for approval. */
  waitIfAsked(): readonly UiChunk[] {
    const { turn, view, spending } = this.#changes;
    const isAsked = view.approvals.some(({ turn_id }) => turn_id === this.#options.turnId);
    if (turn === null || !isAsked || turn.rounds.some(({ status }) => status === "running")) return [];
    this.#ended = true;
    const messageMetadata = { exit: "waiting", ...spending };
    const finish: UiChunk = { type: "finish", finishReason: "other", messageMetadata };
    return [...this.#endTexts(), ...this.#endStep(), finish];
  }

  #write(change: TurnChange): readonly UiChunk[] {
    switch (change.type) {
      case "text":
        return this.#writeText(change);
      case "text_ended":
        return [{ type: `${change.kind}-end`, id: change.id }];
      case "texts_withdrawn":
        return [{ type: "reset-step" }];
      case "call_input":
        return this.#writeInput(change);
      case "call":
        return [...this.#beginStep(), toolInput(change.round, change.round.traits.client)];
      case "round":
        return change.round.settled_at === null ? [] : this.#settle(change.round);
      case "approval":
        return change.approval.turn_id === this.#options.turnId ? askConsent(change.approval) : [];
      case "input":
        return [...this.#endTexts(), this.#steered(change)];
      case "plan":
        return [{ type: "data-plan", id: change.plan.id, data: change.plan }];
      case "file":
        return this.#fileChunks(change.file);
      case "closed":
        return this.#finish(change.exit);
      case "withdrawn":
        this.#ended = true;
        return [{ type: "abort", reason: "The message was withdrawn." }];
      case "progress":
        return [{ type: "data-progress", data: { call_id: change.call_id, text: change.text }, transient: true }];
      case "waiting":
        return [{ type: "data-waiting", data: { reason: change.reason, ms: change.ms }, transient: true }];
      case "compacting":
        return [{ type: "data-compaction", data: { before_tokens: change.before_tokens }, transient: true }];
      case "status": {
        const { status, queue_position } = change;
        if (status === "waiting") return this.waitIfAsked();
        return [{ type: "data-status", data: { status, queue_position }, transient: true }];
      }
      case "heartbeat":
        return this.waitIfAsked();
      case "source":
      case "notice":
        return [];
    }
  }

  #writeText({ kind, id, text, isFirst }: Extract<TurnChange, { type: "text" }>): readonly UiChunk[] {
    return [
      ...this.#beginStep(),
      ...(isFirst ? [{ type: `${kind}-start` as const, id }] : []),
      ...(text === "" ? [] : [{ type: `${kind}-delta` as const, id, delta: text }]),
    ];
  }

  /** The client joins the pieces of the input, and shows what they contain so far. */
  #writeInput({ call_id, tool_id, text, isFirst }: Extract<TurnChange, { type: "call_input" }>): readonly UiChunk[] {
    const start: UiChunk = { type: "tool-input-start", toolCallId: call_id, toolName: tool_id };
    return [
      ...this.#beginStep(),
      ...(isFirst ? [start] : []),
      ...(text === "" ? [] : [{ type: "tool-input-delta" as const, toolCallId: call_id, inputTextDelta: text }]),
    ];
  }

  #endTexts(): readonly UiChunk[] {
    return this.#changes.endTexts().flatMap((change) => this.#write(change));
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

  /** The step ends when none of its calls is open. */
  #settle(round: RoundView): readonly UiChunk[] {
    const rounds = this.#changes.turn?.rounds ?? [];
    const isLast = rounds.every(({ status }) => status !== "running" && status !== "waiting_approval");
    return [outcomeOf(round), ...(isLast ? this.#endStep() : [])];
  }

  #fileChunks(file: FileView): readonly UiChunk[] {
    const url = fileAddress(this.#options, file);
    const artifact: UiChunk = { type: "data-artifact", id: file.path, data: { ...file, url } };
    return url === null
      ? [artifact]
      : [artifact, { type: "file", url, mediaType: file.mime ?? "application/octet-stream" }];
  }

  /** A steering message. Its id has the next number, because the prompt of the turn has number 1. */
  #steered({ input: { text, attachments }, number }: Extract<TurnChange, { type: "input" }>): UiChunk {
    return {
      type: "steering-message",
      id: `${this.#options.turnId}.prompt.${number + 1}`,
      parts: [{ type: "text", text }, ...attachments.flatMap((file) => chatFile(this.#options, file))],
    };
  }

  #finish(exit: string): readonly UiChunk[] {
    this.#ended = true;
    const { completion = null, followups = [], error = null } = this.#changes.turn ?? {};
    const messageMetadata = { exit, ...this.#changes.spending, ...(error === null ? {} : { error }) };
    const chunks: UiChunk[] = completion === null ? [] : [...this.#cited(completion)];
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
    return this.#changes.view.sources.filter(({ sid }) => sid <= sources_known && cited.has(sid)).map(sourceChunk);
  }
}

function toolInput(
  { call_id, tool_id, params }: Pick<RoundView, "call_id" | "tool_id" | "params">,
  isClient: boolean | undefined,
): UiChunk {
  return { type: "tool-input-available", toolCallId: call_id, toolName: tool_id, input: params, ...runBy(isClient) };
}

/**
 * Sends the input again as the call will run with it: references are replaced and nothing is cut. A call of the client
 * needs no approval. A question is a data part, because the protocol's approval has no field for an answer.
 */
function askConsent(asked: ApprovalView): readonly UiChunk[] {
  const { call_id: toolCallId, hash, question } = asked;
  if (question !== undefined)
    return [{ type: "data-question", id: toolCallId, data: { call_id: toolCallId, hash, ...question } }];
  const input = toolInput(asked, asked.client);
  if (asked.client === true) return [input];
  return [input, { type: "tool-approval-request", approvalId: approvalId(toolCallId, hash), toolCallId }];
}
