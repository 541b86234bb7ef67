/**
 * Asks a model and reads its answer. The parts of the answer are assembled to a decision. Text with calls is notes, and
 * text alone is the final answer. A call may also ask the user a question or give structured output. Any other answer
 * is a violation of the protocol.
 */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import type { FinishReason, Model, ModelPart, ModelRequest, ModelUsage, StreamOptions } from "../model/model.ts";
import { NO_USAGE } from "../model/model.ts";
import { ModelError } from "../model/model-error.ts";
import {
  type CheckCall,
  type DecidedCall,
  type Decision,
  type DecisionPiece,
  MAX_ANSWER_LENGTH,
  type RawCall,
  type RawDecision,
  type RawReasoning,
} from "./decision.ts";
import { MAX_PARAMS_DEPTH, nestingOf } from "./nesting.ts";
import { type ProtocolChoice, protocolOf } from "./protocol-of.ts";
import { ASK_USER, GIVE_OUTPUT, SUGGEST_FOLLOWUPS } from "./protocol-tools.ts";
import { isWhole, partsOf, restOf, type Unfinished } from "./unfinished.ts";

/** The answer for a model that declines without any text. */
const DECLINED = "The model declined to answer.";
const MAX_CALLS = 32;
/** Maximum length of an unknown tool name in a message to the model. */
const MAX_NAME_LENGTH = 128;

interface Asked extends ProtocolChoice {
  readonly model: Model;
}

interface AskOptions extends StreamOptions {
  /** Gets the pieces of the answer as they arrive. */
  readonly onPiece?: (piece: DecisionPiece) => void;
}

export async function askModel(
  agent: Asked,
  request: ModelRequest,
  { onPiece = () => undefined, ...options }: AskOptions,
): Promise<RawDecision> {
  return gatherAnswer(answerParts(agent, request, options), onPiece);
}

/** `unfinished`: the answer so far, if the request asks for its rest. */
export async function askForDecision(
  agent: Asked,
  request: ModelRequest,
  {
    onPiece = () => undefined,
    checkCall,
    unfinished,
    ...options
  }: AskOptions & { readonly checkCall: CheckCall; readonly unfinished: Unfinished | null },
): Promise<{ readonly raw: RawDecision; readonly decision: Decision }> {
  const raw = await gatherAnswer(joinedParts(unfinished, answerParts(agent, request, options)), onPiece);
  const read = (answer: RawDecision) => readDecision(answer, checkCall);
  return { raw, decision: protocolOf(agent).read?.(raw, read, request) ?? read(raw) };
}

function answerParts(agent: Asked, request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart> {
  const parts = agent.model.stream(request, options);
  return protocolOf(agent).parts?.(parts, request) ?? parts;
}

/** The stored parts of the answer, then the rest as it arrives. */
async function* joinedParts(unfinished: Unfinished | null, parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  if (unfinished === null) return yield* parts;
  yield* partsOf(unfinished);
  yield* restOf(unfinished, parts);
}

/**
 * Assembles the parts of an answer and passes its pieces on as they arrive. Adapters pass on what servers send, so
 * every part is validated: an invalid part is dropped, a call without a name becomes a call with an empty name, and an
 * invalid count becomes 0.
 */
export async function gatherAnswer(
  parts: AsyncIterable<ModelPart>,
  onPiece: (piece: DecisionPiece) => void,
): Promise<RawDecision> {
  const text: string[] = [];
  const thinking: string[] = [];
  const calls = new Map<unknown, { number: number; name: string; params: string[]; sealed?: JsonObject }>();
  const reasoning: RawReasoning[] = [];
  let chars = 0;
  let left = MAX_ANSWER_LENGTH;
  let reason: FinishReason = "other";
  let usage = NO_USAGE;
  const leftOut: string[] = [];
  for await (const part of parts as AsyncIterable<LoosePart | null>) {
    left -= typeof part?.text === "string" ? part.text.length : 1;
    if (left < 0) throw new ModelError("fatal", "The model's answer did not come to an end.");
    switch (part?.type) {
      case "text":
        if (typeof part.text !== "string") break;
        text.push(part.text);
        chars += part.text.length;
        onPiece({ type: "say", text: part.text });
        break;
      case "thinking":
        if (typeof part.text !== "string") break;
        thinking.push(part.text);
        onPiece({ type: "thinking", text: part.text });
        break;
      case "reasoning":
        if (typeof part.text !== "string" || !isJsonObject(part.options)) break;
        reasoning.push({ text: part.text, options: part.options, chars, calls: calls.size });
        break;
      case "sealed": {
        const call = calls.get(part.index);
        if (call !== undefined && isJsonObject(part.options)) call.sealed = part.options;
        break;
      }
      case "call": {
        const number = calls.get(part.index)?.number ?? calls.size;
        const name = typeof part.name === "string" ? part.name : "";
        calls.set(part.index, { number, name, params: [] });
        onPiece({ type: "call", number, name });
        break;
      }
      case "params": {
        const call = calls.get(part.index);
        if (call === undefined || typeof part.text !== "string") break;
        call.params.push(part.text);
        onPiece({ type: "params", number: call.number, text: part.text });
        break;
      }
      case "left_out":
        if (Array.isArray(part.settings)) leftOut.push(...part.settings.filter((each) => typeof each === "string"));
        break;
      case "finish":
        reason = REASONS.find((known) => known === part.reason) ?? "other";
        usage = readUsage(part.usage);
    }
  }
  // Lone surrogates cannot be stored. They are replaced after joining, because a pair may arrive in two pieces.
  const join = (pieces: readonly string[]) => pieces.join("").toWellFormed();
  const gathered = [...calls.values()].map(({ name, params, sealed }) => ({
    name: join([name]),
    params: join(params),
    ...(sealed === undefined ? {} : { sealed }),
  }));
  return {
    text: join(text),
    thinking: join(thinking),
    calls: gathered,
    reason,
    usage,
    leftOut,
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}

/** A part of the stream before it is validated. */
type LoosePart = {
  readonly [field in "type" | "index" | "name" | "text" | "options" | "reason" | "usage" | "settings"]?: unknown;
};

const REASONS: readonly FinishReason[] = ["stop", "calls", "length", "pause", "refusal", "other"];

function readUsage(given: unknown): ModelUsage {
  const fields = typeof given === "object" && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
  const count = (field: keyof ModelUsage) => {
    const value = fields[field];
    return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
  };
  const long = count("cacheWriteLong");
  return {
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
    ...(long === 0 ? {} : { cacheWriteLong: long }),
  };
}

/** Interprets an answer whose calls are known. */
export function readDecision(raw: RawDecision, checkCall: CheckCall): Decision {
  // Asking again would cost money and change nothing, so the user sees the text of the refusal.
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
    if (nestingOf(call.params) > MAX_PARAMS_DEPTH)
      return violation("bad_params", `Parameters may be nested at most ${MAX_PARAMS_DEPTH} levels deep.`);
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
    return undefined; // Invalid JSON is returned unchanged, and the caller reports it to the model.
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
