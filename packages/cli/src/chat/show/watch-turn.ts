/**
 * Shows a running turn: text while it is written, and notes, calls, plans and files as they come. In streamed text,
 * citations are already links. Only the block of the text tells whether it is a note or the answer. Internal content is
 * not shown.
 */
import type { TurnSignal } from "@cairn/agent";
import {
  type Block,
  emptyView,
  type KnownEvent,
  kindOf,
  makeEvent,
  parsePlan,
  publicEvent,
  type RoundView,
  renderPlan,
  type TimelineEvent,
  viewEvent,
} from "@cairn/timeline";
import { plainLine, plainText } from "../../command/terminal.ts";
import { describeCall } from "./describe-call.ts";
import type { ChatOutput, LineStyle } from "./output.ts";
import { foldReasoning } from "./reasoning.ts";

/** The marks for the outcomes of calls. Colour alone is not enough, because some terminals have none. */
const MARKS = { failed: "✗", partly_failed: "!", refused: "⊘" } as const;

export class TurnWatcher {
  readonly #output: ChatOutput;
  #view = emptyView();
  /** The plan as it was last shown, because closing a plan changes nothing visible. */
  #plan = "";
  #open: string | null = null;
  /** The last stream that was written to this screen. */
  #latest: string | null = null;
  /** The reasoning that is being written, and whether its line was shown before its block arrived. */
  #thought = "";
  #hasShownThought = false;
  /** Whether the text of the latest decision was streamed. */
  #streamed = false;

  /** If the output is not live, notes are printed as lines, and the caller prints the answer. */
  constructor(output: ChatOutput) {
    this.#output = output;
  }

  /** Whether the answer is already on the screen. */
  get hasShownAnswer(): boolean {
    return this.#streamed;
  }

  readonly listen = (signal: TurnSignal): void => {
    switch (signal.type) {
      case "delta":
        if (this.#output.isLive && signal.kind === "thinking") this.#think(signal);
        else if (this.#output.isLive && signal.kind !== "input") this.#write(signal);
        break;
      case "discarded":
        // A decision may have several streams. A stream of a process that died was never shown on this screen.
        if (signal.stream !== this.#latest) break;
        this.#latest = null;
        this.#streamed = false;
        this.#thought = "";
        this.#hasShownThought = false;
        this.line("dim", "(the answer was cut off; asking the model again)");
        break;
      case "progress":
        for (const line of signal.text.split("\n")) this.line("dim", `  ${plainLine(line)}`);
        break;
      case "waiting":
        this.endText();
        this.#output.wait(plainLine(signal.reason), signal.ms);
        break;
      case "on_before_compaction":
        this.line("dim", `(summarising the beginning of the conversation, ${signal.before_tokens} tokens…)`);
        break;
      case "on_after_compaction":
        break; // Shows nothing, because the event of this change prints it.
      case "events":
        for (const event of signal.events) this.#show(publicEvent(event));
    }
  };

  /** Begins a line of its own, which is not part of the answer. */
  line(style: LineStyle, text: string): void {
    this.endText();
    this.#output.line(style, text);
  }

  endText(): void {
    this.#output.endText();
    this.#open = null;
  }

  /** Reasoning can be long, so one line of it is shown when it has ended. */
  #think({ stream, offset, text }: Extract<TurnSignal, { type: "delta" }>): void {
    this.#latest = stream;
    this.#output.doing("thinking");
    this.#thought = offset === 0 ? text : this.#thought + text;
  }

  #endThought(text: string): void {
    if (text !== "") this.line("dim", foldReasoning(text));
    this.#thought = "";
  }

  #write({ stream, kind, path, offset, text }: Extract<TurnSignal, { type: "delta" }>): void {
    if (this.#thought !== "") {
      this.#endThought(this.#thought);
      this.#hasShownThought = true;
    }
    if (this.#open !== stream) this.endText();
    if (offset === 0 && path !== undefined) this.line("dim", `✎ ${plainLine(path)}`);
    this.#open = stream;
    this.#latest = stream;
    this.#output.doing(kind === "say" ? "answering" : "writing");
    this.#output.grow(kind, text);
    if (kind === "say") this.#streamed = true;
  }

  /** Adds an event to the view of the current turn. The first call of a continued turn also opens it in the view. */
  #fold(event: KnownEvent): void {
    if (event.kind === "turn.opened") this.#view = emptyView();
    const events: KnownEvent[] = [event];
    if (event.kind === "call.started") {
      const { turn_id, ts } = event.body;
      if (this.#view.turns.every((turn) => turn.turn_id !== turn_id))
        events.unshift(makeEvent("turn.opened", { turn_id, ts }));
    }
    for (const each of events) this.#view = viewEvent(this.#view, { seq: this.#view.seq + 1, event: each });
  }

  #showOutcome(callId: string): void {
    const round = this.#view.turns.flatMap(({ rounds }) => rounds).findLast(({ call_id }) => call_id === callId);
    const outcome = round === undefined ? null : describeOutcome(round);
    if (outcome !== null) this.line(outcome.style, outcome.text);
  }

  #show(event: TimelineEvent): void {
    if ("unknown" in event) return;
    this.#fold(event);
    this.#output.meter(event);
    switch (event.kind) {
      case "turn.opened":
        this.#streamed = false;
        this.#output.doing("thinking");
        break;
      case "block.appended":
        this.#showBlock(event.body.block);
        break;
      case "call.started":
        this.#streamed = false;
        this.line("dim", `→ ${describeCall(event.body.tool_id, event.body.params)}`);
        this.#output.doing(plainLine(`running ${event.body.tool_id}`));
        break;
      case "call.settled":
        this.#showOutcome(event.body.call_id);
        this.#output.doing("thinking");
        break;
      case "compaction.committed": {
        const { before_tokens, after_tokens } = event.body;
        const tokens = before_tokens === undefined ? "" : `: ${before_tokens} tokens became ${after_tokens}`;
        this.line("dim", `(the beginning of the conversation was summarised${tokens})`);
      }
    }
  }

  #showBlock(block: Block): void {
    const text = block.text ?? "";
    const { role } = kindOf(block.type);
    if (role === "thinking") {
      if (!this.#hasShownThought) this.#endThought(text);
      this.#hasShownThought = false;
    }
    if (role === "notes" && !this.#output.isLive) this.line("dim", plainText(text));
    if (role === "notice") this.line("yellow", `! ${plainLine(noticeMessage(text))}`);
    if (role !== "plan") return;
    const plan = parsePlan(text);
    const shown = plan === null ? "" : renderPlan(plan);
    if (shown === this.#plan) return;
    this.#plan = shown;
    for (const step of shown.split("\n").slice(1)) this.line("dim", `  ${plainText(step)}`);
  }
}

/** A line for a call that failed; null for one that succeeded or is still open. */
export function describeOutcome({
  tool_id,
  outcome,
  error,
}: Pick<RoundView, "tool_id" | "outcome" | "error">): { style: LineStyle; text: string } | null {
  if (outcome === null || outcome.kind === "ok") return null;
  const name = tool_id || "a call";
  // No reason is shown, because the person stopped the turn.
  if (error?.code === "tool_cancelled") return { style: "yellow", text: plainLine(`${MARKS.refused} ${name} stopped`) };
  const { kind, reason } = outcome;
  const why = reason === null ? "" : `: ${reason}`;
  const text = plainLine(`${MARKS[kind]} ${name} ${kind.replace("_", " ")}${why}`);
  return { style: kind === "failed" ? "red" : "yellow", text };
}

function noticeMessage(text: string): string {
  try {
    const notice: unknown = JSON.parse(text);
    if (typeof notice === "object" && notice !== null && "message" in notice) return String(notice.message);
  } catch {
    // A notice of another program may be plain text, which is shown unchanged.
  }
  return text;
}
