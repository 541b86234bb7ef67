/**
 * One decision of the model and what its calls produced, gathered from origins.
 *
 * Calls of one decision settle in the order they finish, so a step is complete only when each of its calls has a
 * result. Until then, blocks that belong to no call of the step are held back, because results must follow their calls
 * directly.
 */
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../../base/json.ts";
import type { PlacedCall } from "../../kind/block-kind.ts";
import type { Origin } from "../../render/origin.ts";

export interface StepCall {
  readonly call: PlacedCall;
  readonly origin: Origin;
  /** Message blocks that the call produced: results, notices, files, and replacements of hidden parts. */
  readonly produced: Origin[];
  isAnswered: boolean;
}

export class Step {
  /** Notes and calls of the step, in the order of their blocks. */
  readonly said: (Origin | StepCall)[] = [];
  /** Blocks that belong to no call of the step. */
  readonly after: Origin[] = [];
  readonly #decision: string | null;
  readonly #calls = new Map<PlacedCall, StepCall>();
  /** Blocks of calls that come before the call itself: code, and the progress of a plan. */
  readonly #early = new Map<PlacedCall, Origin[]>();
  #last = -1;

  constructor(decision: string | null) {
    this.#decision = decision;
  }

  get calls(): Iterable<StepCall> {
    return this.#calls.values();
  }

  get end(): number {
    return this.#last;
  }

  get isComplete(): boolean {
    for (const { isAnswered } of this.#calls.values()) if (!isAnswered) return false;
    return true;
  }

  /** Whether notes, code or a call still belong to this decision. */
  continuesWith(origin: Origin): boolean {
    if (origin.role === "call" && origin.call !== null && this.#calls.has(origin.call)) return false;
    if (this.#decision !== null || origin.decision !== null) return this.#decision === origin.decision;
    // Old blocks do not name their decision. In that case, all calls before the first result are one decision.
    if (origin.role === "notes") return this.#calls.size === 0;
    for (const { isAnswered } of this.#calls.values()) if (isAnswered) return false;
    return true;
  }

  say(origin: Origin): void {
    this.#note(origin);
    if (origin.role === "call" && origin.call !== null) {
      const produced = this.#early.get(origin.call) ?? [];
      this.#early.delete(origin.call);
      const made = { call: origin.call, origin, produced, isAnswered: false };
      // The replacement of a call is shown with its results, because the model did not write it.
      if (!origin.isWhole) produced.push(origin);
      this.#calls.set(origin.call, made);
      this.said.push(made);
    } else if (origin.role === "notes" && origin.isWhole) this.said.push(origin);
    else this.#hold(origin);
  }

  /** Adds a block that a call produced. Returns false when it belongs to no call of the step. */
  take(origin: Origin): boolean {
    const { call } = origin;
    if (call === null) return false;
    const made = this.#calls.get(call);
    if (made === undefined) {
      const isExpected = this.said.some((said) => "role" in said && said.call === call) || this.#early.has(call);
      if (isExpected) this.#hold(origin);
      return isExpected;
    }
    this.#note(origin);
    made.produced.push(origin);
    made.isAnswered ||= origin.isLost || origin.role === "result";
    return true;
  }

  takeAfter(origin: Origin): void {
    this.#note(origin);
    this.after.push(origin);
  }

  /** Blocks that name a call which is not in the history. */
  get orphans(): Origin[] {
    return [...this.#early.values()].flat();
  }

  /** The block with the whole code of a call, which the block of the call leaves out; null if there is none. */
  codeOf({ produced }: StepCall): Origin | null {
    return produced.find(({ role, isWhole }) => role === "code" && isWhole) ?? null;
  }

  #hold(origin: Origin): void {
    this.#note(origin);
    if (origin.call === null) this.after.push(origin);
    else this.#early.set(origin.call, [...(this.#early.get(origin.call) ?? []), origin]);
  }

  #note({ to }: Origin): void {
    this.#last = Math.max(this.#last, to - 1);
  }
}

/** The default name of the parameter that contains the code of a call. */
const CODE_PARAM = "code";

/**
 * The input of a call: its parameters, completed with what the block of the call left out. Code that is shown is put
 * back into its parameter. Any other parameter that was cut becomes a reference to its path. A call that is not shown
 * has no parameters, unless its replacement names them.
 */
export function inputOf({ origin }: StepCall, code: Origin | null): JsonObject {
  const shown = origin.isWhole ? origin.json : parseJsonObject(origin.overlay?.replacement ?? "");
  const params = shown?.params;
  if (!isJsonObject(params)) return {};
  const { cut_params: cut, code_param: param = CODE_PARAM } = origin.block.meta ?? {};
  const refs: Record<string, string> = {};
  if (isJsonObject(cut))
    for (const [name, path] of Object.entries(cut)) if (typeof path === "string") refs[name] = `ref:${path}`;
  if (code !== null) refs[typeof param === "string" ? param : CODE_PARAM] = code.block.text ?? "";
  return wellFormed({ ...params, ...refs });
}

/** Replaces lone surrogates: JSON can contain them as escapes, and providers refuse them. */
function wellFormed(input: JsonObject): JsonObject {
  return /\\ud[89a-f]/i.test(JSON.stringify(input)) ? (mend(input) as JsonObject) : input;
}

/** Replaces lone surrogates in all texts. Recursion is safe, because parsing limits the nesting of a block's JSON. */
function mend(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), mend(each ?? null)]));
}
