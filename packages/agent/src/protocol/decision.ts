/**
 * Decisions: the meaning of a model's answer. Text with calls is notes; text alone is the final answer. Anything else,
 * or a call with an unknown tool or invalid parameters, is a violation: the model gets a notice and is called again.
 */
import { createHash } from "node:crypto";
import { isJsonObject, type JsonObject, type ReasoningPiece } from "@cairn/timeline";
import type { FinishReason, ModelPart, ModelUsage } from "../model/model.ts";
import { NO_USAGE } from "../model/model.ts";
import { ModelError } from "../model/model-error.ts";

/**
 * Maximum characters of an answer, a hundred times what any model writes. Without a limit, a server that never stops
 * sending would fill the memory.
 */
export const MAX_ANSWER_LENGTH = 64_000_000;

/** The assembled output of the model, not yet interpreted. */
export interface RawDecision {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly RawCall[];
  /** Sealed reasoning, in order. */
  readonly reasoning?: readonly RawReasoning[];
  readonly reason: FinishReason;
  readonly usage: ModelUsage;
  /** Settings of the request that the provider did not accept, one sentence each. */
  readonly leftOut: readonly string[];
}

/** A piece of sealed reasoning and its place in the answer. */
export interface RawReasoning extends Omit<ReasoningPiece, "after"> {
  /** Characters of text, and number of calls, that come before the reasoning in the answer. */
  readonly chars: number;
  readonly calls: number;
}

export interface RawCall {
  readonly name: string;
  /** Sealed fields that the provider wants back with the call. */
  readonly sealed?: JsonObject;
  /** The JSON received so far. */
  readonly params: string;
}

export interface DecidedCall {
  /** Number of the call among the calls of the answer, from 0. */
  readonly number: number;
  readonly toolId: string;
  readonly params: unknown;
}

export type Decision =
  | { readonly kind: "calls"; readonly notes: string; readonly calls: readonly DecidedCall[] }
  | Answer
  | { readonly kind: "question"; readonly text: string }
  | {
      readonly kind: "violation";
      readonly code: string;
      readonly message: string;
      /** Used as the answer if the model makes the same mistake again after its last retry. */
      readonly orAnswer?: Answer;
    };

interface Answer {
  readonly kind: "answer";
  readonly text: string;
  readonly followups: readonly string[];
  /** The model gave structured output by a call, with these words beside it; `text` is the JSON. */
  readonly notes?: string;
  /** The model declined to answer. */
  readonly declined?: boolean;
}

/** Returns the call with its parameters checked, or the reason why the call is invalid. */
export type CheckCall = (
  name: string,
  params: unknown,
) => Omit<DecidedCall, "number"> | { readonly code: string; readonly message: string };

/** Pieces of a decision while it streams; calls are numbered in the order they begin. */
export type DecisionPiece =
  | { readonly type: "say" | "thinking"; readonly text: string }
  | { readonly type: "call"; readonly number: number; readonly name: string }
  | { readonly type: "params"; readonly number: number; readonly text: string };

/**
 * Assembles the parts of an answer and passes its pieces on as they arrive. Adapters pass on what servers send, so
 * every part is validated: an invalid part is dropped, a call without a name calls no tool, and a count that is not a
 * number is 0.
 */
export async function gatherDecision(
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

/** A string that is equal for decisions with the same calls; null for a decision without calls. */
export function fingerprintCalls({ calls }: RawDecision): string | null {
  return calls.length === 0
    ? null
    : createHash("sha256")
        .update(JSON.stringify(calls.map(({ name, params }) => ({ name, params }))))
        .digest("hex");
}
