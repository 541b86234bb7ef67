/**
 * Decisions: the meaning of a model's answer. Text with calls is notes; text alone is the final answer. Anything else,
 * or a call with an unknown tool or invalid parameters, is a violation. The model then gets a notice and answers again.
 */
import { createHash } from "node:crypto";
import type { JsonObject, ReasoningPiece } from "@cairn/timeline";
import type { FinishReason, ModelUsage } from "../model/model.ts";

/**
 * Maximum characters of an answer, a hundred times what any model writes. Without a limit, a server that never stops
 * sending would fill the memory.
 */
export const MAX_ANSWER_LENGTH = 64_000_000;

/** The parts of an answer, assembled and not yet interpreted. */
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
  | Violation;

export interface Violation {
  readonly kind: "violation";
  readonly code: string;
  readonly message: string;
  /** The answer to the user if the model makes the mistake too often. */
  readonly orAnswer?: Answer;
}

export interface Answer {
  readonly kind: "answer";
  readonly text: string;
  readonly followups: readonly string[];
  /** The model gave structured output with a call. `text` is its JSON, and the notes are the text beside the call. */
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

/** A string that is equal for decisions with the same calls; null for a decision without calls. */
export function fingerprintCalls({ calls }: RawDecision): string | null {
  return calls.length === 0
    ? null
    : createHash("sha256")
        .update(JSON.stringify(calls.map(({ name, params }) => ({ name, params }))))
        .digest("hex");
}
