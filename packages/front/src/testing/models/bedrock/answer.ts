/** A scripted message in the format of Converse: one object, or the events of a stream. */
import type { JsonObject } from "@cairn/timeline";
import { converseBody } from "../body/bedrock.ts";
import type { Generation } from "../dialect/dialect.ts";
import { piecesOf, type WireEvent } from "../http/wire-event.ts";
import { signatureOf } from "../script/bound-seal.ts";
import { argumentsOf, outputTokensOf } from "../script/reply-tokens.ts";
import { toMessages } from "./to-messages.ts";

export function bedrockMessage(generation: Generation): JsonObject {
  const { thinking, redacted, text = "", calls = [] } = generation.reply;
  const signature = sealOf(generation);
  const content = [
    ...(thinking === undefined ? [] : [{ reasoningContent: { reasoningText: { text: thinking, signature } } }]),
    ...(redacted === undefined ? [] : [{ reasoningContent: { redactedContent: redacted } }]),
    ...(text === "" ? [] : [{ text }]),
    ...calls.map((call, at) => ({
      toolUse: { ...named(generation, at), input: JSON.parse(argumentsOf(call)) as JsonObject },
    })),
  ];
  return {
    output: { message: { role: "assistant", content } },
    stopReason: stopReason(generation),
    usage: usageOf(generation),
    metrics: { latencyMs: 1 },
  };
}

export function bedrockStream(generation: Generation): WireEvent[] {
  const { thinking, redacted, text = "", calls = [], pieceSize = 16 } = generation.reply;
  const events = [event("messageStart", { role: "assistant" })];
  let index = 0;
  const add = (deltas: readonly JsonObject[], start?: JsonObject) => {
    const contentBlockIndex = index++;
    if (start !== undefined) events.push(event("contentBlockStart", { contentBlockIndex, start }));
    for (const delta of deltas)
      events.push({ ...event("contentBlockDelta", { contentBlockIndex, delta }), role: "piece" });
    events.push(event("contentBlockStop", { contentBlockIndex }));
  };
  if (thinking !== undefined)
    add([
      ...piecesOf(thinking, pieceSize).map((piece) => ({ reasoningContent: { text: piece } })),
      { reasoningContent: { signature: sealOf(generation) } },
    ]);
  if (redacted !== undefined) add([{ reasoningContent: { redactedContent: redacted } }]);
  if (text !== "") add(piecesOf(text, pieceSize).map((piece) => ({ text: piece })));
  for (const [at, call] of calls.entries())
    add(
      piecesOf(argumentsOf(call), pieceSize).map((input) => ({ toolUse: { input } })),
      { toolUse: named(generation, at) },
    );
  events.push({ ...event("messageStop", { stopReason: stopReason(generation) }), role: "end" });
  if (generation.tellsUsage)
    events.push({ ...event("metadata", { usage: usageOf(generation), metrics: { latencyMs: 1 } }), role: "end" });
  return events;
}

export function bedrockStreamError(): WireEvent[] {
  return [event("serviceUnavailableException", { message: "Bedrock is unable to process your request." })];
}

function event(name: string, fields: JsonObject): WireEvent {
  return { event: name, data: JSON.stringify(fields) };
}

function sealOf({ reply, request }: Generation): string {
  return signatureOf(reply.thinking ?? "", toMessages(converseBody.parse(request.body), request.model));
}

function named({ nth, reply }: Generation, at: number): { readonly toolUseId: string; readonly name: string } {
  const call = reply.calls?.[at];
  return { toolUseId: call?.id ?? `tooluse_sim_${nth}_${at + 1}`, name: call?.name ?? "" };
}

function stopReason({ reply }: Generation): string {
  if (reply.refusal !== undefined) return "content_filtered";
  if (reply.truncated) return "max_tokens";
  return (reply.calls ?? []).length > 0 ? "tool_use" : "end_turn";
}

function usageOf({ input, reply, countTokens }: Generation): JsonObject {
  const outputTokens = outputTokensOf(reply, countTokens).total;
  const short = input.written - input.writtenForHour;
  return {
    inputTokens: input.uncached,
    outputTokens,
    totalTokens: input.total + outputTokens,
    cacheReadInputTokens: input.read,
    cacheWriteInputTokens: input.written,
    cacheDetails: [
      ...(input.writtenForHour > 0 ? [{ ttl: "1h", inputTokens: input.writtenForHour }] : []),
      ...(short > 0 ? [{ ttl: "5m", inputTokens: short }] : []),
    ],
  };
}
