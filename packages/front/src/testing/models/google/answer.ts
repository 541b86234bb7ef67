/** A scripted message in Google's format: one object, or the events of a stream. Each call comes in one piece. */
import type { JsonObject } from "@cairn/timeline";
import type { Generation } from "../dialect/dialect.ts";
import { piecesOf, type WireEvent } from "../http/wire-event.ts";
import { argumentsOf, outputTokensOf } from "../script/reply-tokens.ts";
import { seal } from "../script/seal.ts";
import { googleFailure } from "./errors.ts";

export function googleMessage(generation: Generation): JsonObject {
  const { reply } = generation;
  const parts = [
    ...thoughtsOf(reply.thinking ?? "", Number.POSITIVE_INFINITY),
    ...textsOf(generation, Number.POSITIVE_INFINITY),
  ];
  return chunk(generation, [...parts, ...callsOf(generation)], { finishReason: finishReason(generation) });
}

export function googleStream(generation: Generation): WireEvent[] {
  const { pieceSize = 16, thinking = "" } = generation.reply;
  const pieces = [...thoughtsOf(thinking, pieceSize), ...textsOf(generation, pieceSize), ...callsOf(generation)];
  return [
    ...pieces.map((part): WireEvent => ({ data: JSON.stringify(chunk(generation, [part])), role: "piece" })),
    { data: JSON.stringify(chunk(generation, [], { finishReason: finishReason(generation) })), role: "end" },
  ];
}

export function googleStreamError(): WireEvent[] {
  return [{ data: JSON.stringify(googleFailure({ kind: "overloaded" }).body) }];
}

function chunk(generation: Generation, parts: readonly JsonObject[], fields: JsonObject = {}): JsonObject {
  const { nth, request, tellsUsage } = generation;
  const content = parts.length === 0 ? {} : { content: { role: "model", parts: [...parts] } };
  return {
    candidates: [{ ...content, ...fields, index: 0 }],
    ...(tellsUsage ? { usageMetadata: usageOf(generation) } : {}),
    modelVersion: request.model,
    responseId: `resp_sim_${nth}`,
  };
}

function thoughtsOf(thinking: string, size: number): JsonObject[] {
  return piecesOf(thinking, size).map((text) => ({ text, thought: true }));
}

function textsOf({ reply }: Generation, size: number): JsonObject[] {
  return piecesOf(reply.refusal ?? reply.text ?? "", size).map((text) => ({ text }));
}

/** Google's format cannot express malformed arguments. A model that writes them ends with Google's own error. */
function callsOf({ nth, reply }: Generation): JsonObject[] {
  return (reply.calls ?? []).map((call, at) => ({
    functionCall: {
      id: call.id ?? `call_sim_${nth}_${at + 1}`,
      name: call.name,
      args: JSON.parse(argumentsOf(call)) as JsonObject,
    },
    thoughtSignature: Buffer.from(seal(`sig_sim_${nth}`)).toString("base64"),
  }));
}

function finishReason({ reply }: Generation): string {
  if (reply.refusal !== undefined) return "SAFETY";
  return reply.truncated ? "MAX_TOKENS" : "STOP";
}

function usageOf({ input, reply, countTokens }: Generation): JsonObject {
  const output = outputTokensOf(reply, countTokens);
  return {
    promptTokenCount: input.total,
    ...(input.read > 0 ? { cachedContentTokenCount: input.read } : {}),
    candidatesTokenCount: output.total - output.thinking,
    ...(output.thinking > 0 ? { thoughtsTokenCount: output.thinking } : {}),
    totalTokenCount: input.total + output.total,
  };
}
