/**
 * Native tool calling: the model calls tools through its provider's own mechanism. Two more names are offered:
 * `ask_user` ends the turn with a question, and `suggest_followups` accompanies a final answer. In a conversation with
 * structured output there is a third one, `give_output`, which ends the turn with a value. None of them runs anything.
 */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import type { ToolSpec } from "../model/model.ts";
import type { CheckCall, DecidedCall, Decision, RawCall, RawDecision } from "./decision.ts";
import type { DecisionProtocol } from "./decision-protocol.ts";
import { nestingOf } from "./nesting.ts";
import { isWhole } from "./unfinished.ts";

/** The answer for a model that declines without any text. */
const DECLINED = "The model declined to answer.";
const MAX_CALLS = 32;
const MAX_DEPTH = 100;
/** Maximum length of a name that is repeated to the model. */
const MAX_NAME_LENGTH = 128;
const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const ASK_USER: ToolSpec = {
  name: "ask_user",
  description: "Ask the user a question you cannot go on without. Ends the turn. Call nothing else with it.",
  schema: object({ question: { type: "string" } }, ["question"]),
};

const SUGGEST_FOLLOWUPS: ToolSpec = {
  name: "suggest_followups",
  description: "Beside a final answer: up to four things the user may want to ask next, in the user's words.",
  schema: object({ items: { type: "array", items: { type: "string" } } }, ["items"]),
};

/** The tool for structured output. It contains no schema, so that all messages have the same tools. */
const GIVE_OUTPUT: ToolSpec = {
  name: "give_output",
  description:
    "End the turn with structured output, when the user's message asks for it. `output` is the value; it must match the JSON Schema that came with the message. Call nothing else with it.",
  schema: object({ output: { type: "object", additionalProperties: true } }, ["output"]),
};

/** Which tools of the protocol are offered. */
export interface ProtocolOffers {
  /** `ask_user`, with which the model ends a turn with a question; default true. */
  readonly askUser?: boolean;
  /** `suggest_followups`, with which it adds suggestions to its answer; default true. */
  readonly followups?: boolean;
}

/** The tools that a decision may call, in a fixed order. `hasOutput`: including the one for structured output. */
export function decisionTools(
  tools: readonly ToolSpec[],
  hasOutput = false,
  { askUser = true, followups = true }: ProtocolOffers = {},
): readonly ToolSpec[] {
  const own = [
    ...(askUser ? [ASK_USER] : []),
    ...(followups ? [SUGGEST_FOLLOWUPS] : []),
    ...(hasOutput ? [GIVE_OUTPUT] : []),
  ];
  return [...tools, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a list of tools includes the one for structured output. */
export function offersOutput(specs: readonly ToolSpec[]): boolean {
  return specs.some(({ name }) => name === GIVE_OUTPUT.name);
}

export const nativeProtocol: DecisionProtocol = {
  name: "native",
  offer: (tools) => ({ tools }),
  read: readNative,
};

export function readNative(raw: RawDecision, checkCall: CheckCall): Decision {
  // A second request would cost money and change nothing; the user sees the text of the refusal.
  if (raw.reason === "refusal")
    return { kind: "answer", text: raw.text.trim() || DECLINED, followups: [], declined: true };
  if ((raw.reason === "length" || raw.reason === "pause") && !endsWhole(raw))
    return violation("truncated", "The answer reached its maximum length and was cut off. Write less at a time.");
  if (raw.calls.length > MAX_CALLS)
    return violation("too_many_calls", `One decision may make at most ${MAX_CALLS} calls.`);
  const calls: DecidedCall[] = [];
  const followups: string[] = [];
  let given: { readonly output: string } | undefined;
  for (const [number, call] of raw.calls.entries()) {
    if (nestingOf(call.params) > MAX_DEPTH)
      return violation("bad_params", `Parameters may be nested at most ${MAX_DEPTH} levels deep.`);
    const params = parseParams(call);
    if (params === undefined)
      return violation("bad_json", `The parameters of ${call.name.slice(0, MAX_NAME_LENGTH)} are not JSON.`);
    if (call.name === ASK_USER.name) {
      if (raw.calls.some(({ name }) => name !== ASK_USER.name && name !== SUGGEST_FOLLOWUPS.name))
        return violation("question_not_alone", "ask_user ends the turn. Make the other calls first, or ask alone.");
      const question = stringField(params, "question");
      return question === null
        ? violation("bad_params", "ask_user needs the parameter `question`, a string.")
        : { kind: "question", text: joinText(raw.text, question) };
    }
    if (call.name === GIVE_OUTPUT.name) {
      if (raw.calls.some(({ name }) => name !== GIVE_OUTPUT.name && name !== SUGGEST_FOLLOWUPS.name))
        return violation("output_not_alone", "give_output ends the turn. Make the other calls first.");
      given ??= { output: outputIn(params) };
      continue;
    }
    if (call.name === SUGGEST_FOLLOWUPS.name) {
      for (const item of listField(params, "items"))
        if (typeof item === "string" && item.trim() !== "") followups.push(item.trim());
      continue;
    }
    const checked = checkCall(call.name, params);
    if ("code" in checked) return violation(checked.code, checked.message);
    calls.push({ number, ...checked });
  }
  const text = raw.text.trim();
  if (given !== undefined) return { kind: "answer", text: given.output, notes: text, followups: followups.slice(0, 4) };
  if (calls.length > 0) return { kind: "calls", notes: text, calls };
  if (text === "") return violation("empty_decision", "The answer was empty. Call a tool, or answer the user.");
  return { kind: "answer", text, followups: followups.slice(0, 4) };
}

/** The JSON of the value. Some models pass the value as a string that contains JSON. */
function outputIn(params: unknown): string {
  const output = isJsonObject(params) ? params.output : undefined;
  return typeof output === "string" ? output : JSON.stringify(output ?? params);
}

/** The answer reached its length limit just after a complete call. */
function endsWhole({ calls }: RawDecision): boolean {
  const last = calls.at(-1);
  return last !== undefined && isWhole(last);
}

function parseParams({ params }: RawCall): unknown {
  if (params.trim() === "") return {};
  try {
    return JSON.parse(params);
  } catch {
    return undefined; // Invalid JSON stays invalid: the caller reports it to the model.
  }
}

function violation(code: string, message: string): Decision {
  return { kind: "violation", code: `protocol_violation.${code}`, message };
}

function stringField(params: unknown, field: string): string | null {
  const value = isJsonObject(params) ? params[field] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function listField(params: unknown, field: string): readonly unknown[] {
  const value = isJsonObject(params) ? params[field] : undefined;
  return Array.isArray(value) ? value : [];
}

function joinText(notes: string, question: string): string {
  return notes.trim() === "" ? question : `${notes.trim()}\n\n${question}`;
}
