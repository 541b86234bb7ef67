/**
 * History in the roles of a provider (`native`).
 *
 * The assistant's role holds only what the model produced: notes, calls and answers, as the model wrote them. The calls
 * of one decision are followed by one result each, in the order of the calls; a result holds everything of its call,
 * with headers and paths. All other blocks are the user's text. The tail comes last, as the user's text.
 *
 * The pieces of a complete decision never change when the conversation grows. A decision with an unsettled call is part
 * of the tail, because its results still have to follow it.
 */
import { type KeptReasoning, type ReasoningPiece, reasoningOf } from "../../block/reasoning.ts";
import { resultHeader, viewInterrupted } from "../../kind/result-header.ts";
import type { FileKind } from "../../message/message.ts";
import type { Origin } from "../../render/origin.ts";
import type { RenderedView } from "../../render/rendered-view.ts";
import { CallIds } from "./call-ids.ts";
import { type ComposedView, type Piece, piecesEndingBy } from "./compose-parts.ts";
import { ContentReader, textPart } from "./content-part.ts";
import { inputOf, Step, type StepCall } from "./native-step.ts";
import type { ContentPart, WireInput } from "./wire-request.ts";

/** Adds texts at both ends where they are missing, because a conversation must begin and end with the user. */
const BEGINNING = "(The conversation continues.)\n\n";
const ENDING = "(Continue.)\n\n";
/** Content of a result that has none, because providers refuse empty results. */
const NO_RESULT = "(Nothing is shown.)";

/** `carries`: the kinds of files that a result may contain. Other files follow the results in the user's role. */
export function composeNative(view: RenderedView, input: WireInput, carries: readonly FileKind[]): ComposedView {
  const composer = new NativeComposer(view, input, carries);
  let seen = 0;
  for (const origin of view.origins()) {
    composer.take(origin);
    seen = Math.max(seen, origin.to);
  }
  composer.takeMessages(seen, view.stableLength);
  return composer.compose();
}

class NativeComposer {
  readonly #view: RenderedView;
  readonly #joins: boolean;
  readonly #carries: readonly FileKind[];
  readonly #toolName: (tool: string) => string;
  readonly #reader: ContentReader;
  readonly #ids: CallIds;
  readonly #model: string | undefined;
  readonly #pieces: Piece[] = [];
  readonly #ends: number[] = [];
  readonly #groups: number[] = [];
  #group = 0;
  #end = -1;
  #step: Step | null = null;
  /** Texts of the user that will be sent as one part. */
  #texts: string[] = [];
  #lastText: Origin | null = null;
  /** Texts about unsettled calls. These texts are in the results of these calls, so the tail does not repeat them. */
  readonly #interruptions = new Set<string>();

  constructor(view: RenderedView, input: WireInput, carries: readonly FileKind[]) {
    this.#view = view;
    this.#joins = (input.strategy ?? "economic") === "economic";
    this.#carries = carries;
    this.#toolName = input.toolName ?? ((tool) => tool);
    this.#reader = new ContentReader(input);
    this.#ids = new CallIds(input.callIdLength);
    this.#model = input.reasoningOf;
  }

  take(origin: Origin): void {
    if (!origin.isLost && isOfDecision(origin)) this.#takeDecided(origin);
    else if (origin.role === "answer") this.#takeAnswer(origin);
    else this.#takeOther(origin);
  }

  #takeDecided(origin: Origin): void {
    if (this.#step?.continuesWith(origin) !== true) {
      this.#endStep();
      this.#endTexts();
      this.#step = new Step(origin.decision);
    }
    this.#step.say(origin);
  }

  takeMessages(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#takeUser(at, at + 1, null);
  }

  compose(): ComposedView {
    const open = this.#step;
    if (open?.isComplete === true) this.#endStep();
    this.#endTexts();
    const stable = this.#pieces.length;
    // A decision with an unsettled call is not cached.
    this.#endStep();
    this.#endTexts();
    for (const message of this.#view.tail) {
      if (message.type === "text" && this.#interruptions.has(message.text)) continue;
      const part = this.#reader.read(message);
      const shown = part.type === "text" ? textPart([part.text]) : part;
      if (shown !== null) this.#pieces.push({ part: shown, role: "user" });
    }
    if (this.#pieces.at(-1)?.role === "assistant")
      this.#pieces.push({ part: { type: "text", text: ENDING }, role: "user" });
    return {
      stable: this.#pieces.slice(0, stable),
      groups: this.#groups.slice(0, stable),
      checkpoints: piecesEndingBy(this.#ends.slice(0, stable), this.#view.checkpoints),
      tail: this.#pieces.slice(stable),
    };
  }

  #takeAnswer(origin: Origin): void {
    const text = origin.isWhole ? (origin.block.text ?? "") : "";
    if (textPart([text]) === null) {
      this.#takeOther(origin);
      return;
    }
    this.#endStep();
    this.#endTexts();
    // Reasoning after the last text is left out, because providers refuse a message that ends with reasoning.
    const pieces = (this.#reasoningOf(origin)?.pieces ?? []).filter(({ after }) => /\S/.test(text.slice(after)));
    this.#push(withReasoning(text, pieces), origin.to - 1);
  }

  #takeOther(origin: Origin): void {
    if (this.#step?.take(origin) === true) return;
    if (this.#step?.isComplete === false) this.#step.takeAfter(origin);
    else {
      this.#endStep();
      this.#takeUser(origin.from, origin.to, origin);
    }
  }

  #takeUser(from: number, to: number, origin: Origin | null): void {
    if (from === to) return;
    const isGrouped = origin !== null && this.#lastText !== null && origin.isGroupedWith(this.#lastText);
    if (!isGrouped) this.#endTexts();
    this.#lastText = origin;
    for (let at = from; at < to; at++) {
      const message = this.#view.stableAt(at);
      if (message === undefined) continue;
      const part = this.#reader.read(message);
      this.#end = Math.max(this.#end, at);
      if (part.type === "text") this.#texts.push(part.text);
      if (part.type !== "text" || !this.#joins) this.#flushTexts();
      if (part.type !== "text") this.#push([{ part, role: "user" }], at);
    }
  }

  #endTexts(): void {
    this.#flushTexts();
    this.#lastText = null;
    this.#group++;
  }

  #flushTexts(): void {
    const part = textPart(this.#texts);
    this.#texts = [];
    if (part !== null) this.#push([{ part, role: "user" }], this.#end);
  }

  #push(pieces: readonly Piece[], end: number): void {
    this.#end = Math.max(this.#end, end);
    if (this.#pieces.length === 0 && pieces[0]?.role === "assistant") this.#add(beginning());
    for (const piece of pieces) this.#add(piece);
  }

  #add(piece: Piece): void {
    this.#pieces.push(piece);
    this.#ends.push(this.#end);
    this.#groups.push(this.#group);
  }

  #endStep(): void {
    const step = this.#step;
    if (step === null) return;
    this.#step = null;
    this.#endTexts();
    const calls = [...step.calls].map((made) => ({ made, id: this.#ids.take(made.call), name: this.#nameOf(made) }));
    const ids = new Map(calls.map((each) => [each.made, each]));
    const said: Piece[] = [];
    let notes = "";
    for (const each of step.said) {
      if ("role" in each) {
        notes += each.block.text ?? "";
        continue;
      }
      const { id = "", name = "" } = ids.get(each) ?? {};
      const kept = this.#reasoningOf(each.origin);
      said.push(...withReasoning(notes, kept?.pieces ?? []));
      notes = "";
      const sealed = kept?.call == null ? {} : { sealed: kept.call };
      const input = inputOf(each, step.codeOf(each));
      said.push({ part: { type: "call", id, name, input, ...sealed }, role: "assistant" });
    }
    said.push(...withReasoning(notes, []));
    const files: ContentPart[] = [];
    const results = calls.map(({ made, id, name }): Piece => {
      const content = this.#resultOf(made, step.codeOf(made), files);
      return { part: { type: "result", id, name, content }, role: "tool" };
    });
    const shown = files.map((part): Piece => ({ part, role: "user" }));
    this.#push([...said, ...results, ...shown], step.end);
    this.#group++;
    for (const origin of [...step.orphans, ...step.after]) this.#takeUser(origin.from, origin.to, origin);
  }

  /** The reasoning to send back with a block: only to the model that produced it, and only while the block is shown. */
  #reasoningOf(origin: Origin): KeptReasoning | null {
    if (this.#model === undefined || !origin.isWhole) return null;
    const kept = reasoningOf(origin.block);
    return kept?.model === this.#model ? kept : null;
  }

  #nameOf({ origin }: StepCall): string {
    return this.#toolName(origin.tool ?? "unknown");
  }

  /** `files` receives the pictures and documents that the result cannot contain. */
  #resultOf(
    { call, origin, produced, isAnswered }: StepCall,
    code: Origin | null,
    files: ContentPart[],
  ): ContentPart[] {
    const content: ContentPart[] = [];
    const answered = { callId: call.id, tool: origin.tool };
    let texts: string[] = [];
    let hasFiles = false;
    const flush = () => {
      const part = textPart(texts);
      texts = [];
      if (part !== null) content.push(part);
    };
    for (const each of produced) {
      if (each === code) continue;
      for (let at = each.from; at < each.to; at++) {
        const message = this.#view.stableAt(at);
        if (message === undefined) continue;
        const part = this.#reader.read(message);
        if (part.type === "text") {
          texts.push(part.text);
          // A result without files is sent as one text.
          if (!this.#joins && this.#carries.length > 0) flush();
        } else if (this.#carries.includes(part.type)) {
          flush();
          content.push(part);
        } else {
          if (!hasFiles) files.push({ type: "text", text: `${resultHeader(answered, "artifact", origin.tool)}\n\n` });
          hasFiles = true;
          files.push(part);
        }
      }
    }
    if (!isAnswered) {
      const interruption = `${viewInterrupted(answered)}\n\n`;
      this.#interruptions.add(interruption);
      texts.push(interruption);
    }
    flush();
    return content.length === 0 ? [{ type: "text", text: NO_RESULT }] : content;
  }
}

/** Whether a message block belongs to a decision: notes, code, or a call with an id to pair it by. */
function isOfDecision({ role, call }: Origin): boolean {
  return role === "notes" || role === "code" || (role === "call" && call !== null);
}

function beginning(): Piece {
  return { part: { type: "text", text: BEGINNING }, role: "user" };
}

/** The text of an answer, with pieces of the model's reasoning at the places where the model produced them. */
function withReasoning(text: string, pieces: readonly ReasoningPiece[]): Piece[] {
  const said: Piece[] = [];
  let from = 0;
  const say = (to: number) => {
    const part = textPart([text.slice(from, to)]);
    from = to;
    if (part !== null) said.push({ part, role: "assistant" });
  };
  for (const { text: thought, options, after } of pieces) {
    if (after > from) say(after);
    said.push({ part: { type: "reasoning", text: thought, sealed: options }, role: "assistant" });
  }
  say(text.length);
  return said;
}
