/** A model that returns prepared decisions one after the other, for tests and examples. It needs no network. */
import type { Model, ModelRequest } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import { checkOptions } from "../define/check-options.ts";

export interface ScriptedCall {
  readonly call: string;
  readonly input?: object;
}

/** An answer of the scripted model: a text, calls, or both. */
export type ScriptedDecision =
  | { readonly say: string }
  | (ScriptedCall & { readonly say?: string })
  | { readonly calls: readonly ScriptedCall[]; readonly say?: string };

/** The next decision, or a function that makes it from the request. */
export type ScriptedStep = ScriptedDecision | ((request: ModelRequest) => ScriptedDecision);

export interface ScriptedModel extends Model {
  /** The requests that the model received, oldest first. `view.messages()` of a request is its conversation. */
  readonly requests: readonly ModelRequest[];
}

const CHARS_PER_TOKEN = 4;

/** After its last step, the model answers `That is all.` For steps that repeat, pass a function. */
export function scriptedModel(
  steps: readonly ScriptedStep[] | ((request: ModelRequest) => ScriptedDecision),
): ScriptedModel {
  const left = typeof steps === "function" ? null : [...steps];
  for (const step of left ?? []) if (typeof step !== "function") checkDecision(step);
  const requests: ModelRequest[] = [];
  const next = (request: ModelRequest): ScriptedDecision => {
    const step =
      left === null
        ? (steps as (request: ModelRequest) => ScriptedDecision)
        : (left.shift() ?? { say: "That is all." });
    const decision = typeof step === "function" ? step(request) : step;
    checkDecision(decision);
    return decision;
  };
  return {
    id: "scripted",
    provider: "automatic",
    contextTokens: 100_000,
    maxOutputTokens: 4_000,
    requests,
    async *stream(request) {
      requests.push(request);
      const decision = next(request);
      const { say = "" } = decision;
      const calls = "calls" in decision ? decision.calls : "call" in decision ? [decision] : [];
      // The text is streamed word by word, as by a provider.
      for (const text of say.match(/\S+\s*/g) ?? []) yield { type: "text", text };
      for (const [index, { call, input = {} }] of calls.entries()) {
        yield { type: "call", index, name: call };
        yield { type: "params", index, text: JSON.stringify(input) };
      }
      const output = Math.ceil((say.length + JSON.stringify(calls).length) / CHARS_PER_TOKEN);
      const usage = { input: tokensOf(request), output, cacheRead: 0, cacheWrite: 0 };
      yield { type: "finish", reason: calls.length === 0 ? "stop" : "calls", usage };
    },
  };
}

function checkDecision(decision: ScriptedDecision): void {
  checkOptions(decision, { say: "text", call: "text", input: "object", calls: "list" }, "a step of `scriptedModel`");
  if (["say", "call", "calls"].every((name) => !(name in decision)))
    throw new CairnError("bad_request", "A step of `scriptedModel` needs `say`, `call` or `calls`.");
}

function tokensOf({ system, view }: ModelRequest): number {
  const texts = view.messages().map((message) => (message.type === "text" ? message.text : ""));
  return Math.ceil([system, ...texts].join("").length / CHARS_PER_TOKEN);
}
