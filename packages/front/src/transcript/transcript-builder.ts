/**
 * Collects a conversation of another system in the order of its messages, and lists content that cannot be imported.
 *
 * A user's message opens a turn, unless the previous turn has no answer yet. Text after calls begins a new step. A
 * result belongs to the call with its id. If ids repeat or are missing, it belongs to the oldest open call of the
 * newest step with an open call, because results of parallel calls come in the order of the calls.
 */
import type { Transcript, TranscriptFile, TranscriptPrompt, TranscriptResult } from "@cairn/agent";
import { isJsonObject, type Json, JsonCounter, type JsonObject } from "@cairn/timeline";

/** Content that was not imported, or was changed by the import. */
export interface ImportLoss {
  /** Place of the problem, such as `messages[2].content[0]`. */
  readonly at: string;
  readonly code: LossCode;
  /** The problem, as a sentence for people. */
  readonly message: string;
}

/** Maximum characters of a dropped text that a report shows. */
const MAX_SHOWN = 200;
/** A longer input that is a string is not parsed, even if it is JSON. */
const INPUT_LIMITS = { values: 200_000, depth: 100 };

export type LossCode =
  | "instructions"
  | "reasoning"
  | "missing_result"
  | "unmatched_result"
  | "missing_id"
  | "bad_input"
  | "link"
  | "bad_file"
  | "unsupported";

interface Step {
  thoughts: string;
  text: string;
  readonly calls: Call[];
}

interface Call {
  readonly id: string;
  readonly at: string;
  readonly name: string;
  readonly input: JsonObject;
  result: TranscriptResult | null;
}

/** The calls of one step with the same id. The first `taken` calls have results. */
interface OpenCalls {
  readonly step: Step;
  readonly calls: Call[];
  taken: number;
}

interface Turn {
  readonly prompts: TranscriptPrompt[];
  readonly steps: Step[];
}

export class TranscriptBuilder {
  readonly #turns: Turn[] = [];
  readonly #losses: ImportLoss[] = [];
  /** Calls without a result, by id. The newest step is last. */
  readonly #open = new Map<string, OpenCalls[]>();
  readonly #calls: Call[] = [];
  #step: Step | null = null;

  prompt(text: string, files: readonly TranscriptFile[]): void {
    if (text.trim() === "" && files.length === 0) return;
    const last = this.#turns.at(-1);
    const turn = last === undefined || last.steps.length > 0 ? { prompts: [], steps: [] } : last;
    if (turn !== last) this.#turns.push(turn);
    turn.prompts.push({ text: text.toWellFormed(), files });
    this.#step = null;
  }

  /** Begins a new step: the following text, thoughts and calls belong to another decision of the model. */
  endStep(): void {
    this.#step = null;
  }

  say(text: string): void {
    if (text === "") return;
    const step = this.#stepFor(({ calls }) => calls.length === 0);
    step.text += (step.text === "" ? "" : "\n\n") + text.toWellFormed();
  }

  think(text: string): void {
    if (text === "") return;
    const step = this.#stepFor(({ calls, text: said }) => calls.length === 0 && said === "");
    step.thoughts += (step.thoughts === "" ? "" : "\n\n") + text.toWellFormed();
  }

  /** The input as an object, as JSON, or as the plain text of a tool that takes text. */
  call(at: string, id: string, name: string, input: unknown): void {
    const call = { id, at, name: name.toWellFormed(), input: this.#inputOf(at, input), result: null };
    const step = this.#stepFor(() => true);
    step.calls.push(call);
    this.#calls.push(call);
    const open = this.#open.get(id) ?? [];
    this.#open.set(id, open);
    const newest = open.at(-1);
    if (newest?.step === step) newest.calls.push(call);
    else open.push({ step, calls: [call], taken: 0 });
  }

  result(at: string, id: string, result: TranscriptResult): void {
    const open = this.#open.get(id);
    const newest = open?.at(-1);
    const call = newest?.calls[newest.taken++];
    if (newest?.taken === newest?.calls.length) open?.pop();
    if (call === undefined)
      this.lose(at, "unmatched_result", `There is no call ${JSON.stringify(id)} without a result.`);
    else call.result = result;
    if (call !== undefined && id === "")
      this.lose(
        at,
        "missing_id",
        `The result names no call, so it was assigned to a call of ${call.name} that has no id.`,
      );
  }

  /** A file that the model made. It gets a call of its own before the text, so that the text can be the answer. */
  file(at: string, file: TranscriptFile): void {
    const call: Call = {
      id: "",
      at,
      name: "imported_file",
      input: { name: file.name },
      result: { output: "", isError: false, files: [file] },
    };
    this.#calls.push(call);
    if (this.#step !== null && this.#step.calls.length > 0) this.#step.calls.push(call);
    else this.#stepsOfTurn().splice(this.#step === null ? Infinity : -1, 0, { thoughts: "", text: "", calls: [call] });
  }

  lose(at: string, code: LossCode, message: string): void {
    this.#losses.push({ at, code, message });
  }

  /** System and developer messages are not imported, because they must not change the agent's instructions. */
  loseInstructions(at: string, text: string, role: unknown): void {
    const start = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
    const message = `A ${typeof role === "string" ? role : JSON.stringify(role)} message was left out; instructions belong to the agent. It says: ${start}`;
    this.lose(at, "instructions", message);
  }

  loseReasoning(at: string): void {
    this.lose(
      at,
      "reasoning",
      "People can read the text of this reasoning. The model does not get it, and its seal was dropped.",
    );
  }

  loseUnsupported(at: string, type: unknown): void {
    this.lose(at, "unsupported", `Content of the type ${JSON.stringify(type ?? null)} cannot be imported.`);
  }

  finish(): { readonly transcript: Transcript; readonly losses: readonly ImportLoss[] } {
    for (const { at, name, result } of this.#calls)
      if (result === null)
        this.lose(
          at,
          "missing_result",
          `The call of ${name} has no result. The model is told that the result is missing.`,
        );
    return { transcript: { turns: this.#turns }, losses: this.#losses };
  }

  #stepFor(fits: (step: Step) => boolean): Step {
    if (this.#step !== null && fits(this.#step)) return this.#step;
    this.#step = { thoughts: "", text: "", calls: [] };
    this.#stepsOfTurn().push(this.#step);
    return this.#step;
  }

  #stepsOfTurn(): Step[] {
    const last = this.#turns.at(-1) ?? { prompts: [], steps: [] };
    if (this.#turns.length === 0) this.#turns.push(last);
    return last.steps;
  }

  #inputOf(at: string, input: unknown): JsonObject {
    if (input === undefined || input === null || input === "") return {};
    if (isJsonObject(input)) return input;
    try {
      if (typeof input === "string") new JsonCounter(INPUT_LIMITS).add(Buffer.from(input));
      const parsed: unknown = typeof input === "string" ? JSON.parse(input) : input;
      if (isJsonObject(parsed)) return parsed;
    } catch {
      // The caller reports input that is not an object.
    }
    this.lose(at, "bad_input", "The input of the call is not a JSON object, so it was put into the field `input`.");
    return { input: (typeof input === "string" ? input.toWellFormed() : input) as Json };
  }
}
