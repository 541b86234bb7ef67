/** A scripted message in Anthropic's format: one object, or the events of a stream. */
import type { JsonObject } from "@cairn/timeline";
import type { Generation } from "../dialect/dialect.ts";
import { piecesOf, type WireEvent } from "../http/wire-event.ts";
import { type Sealed, signatureOf } from "../script/bound-seal.ts";
import { argumentsOf, outputTokensOf } from "../script/reply-tokens.ts";

type Block =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly raw: string };

export function anthropicMessage(generation: Generation): JsonObject {
  return {
    ...envelope(generation),
    content: blocksOf(generation).map((block) =>
      block.type === "tool_use"
        ? { type: block.type, id: block.id, name: block.name, input: parsed(block.raw) }
        : block,
    ),
    ...stopOf(generation),
    usage: { ...inputUsage(generation), output_tokens: outputTokensOf(generation.reply, generation.countTokens).total },
  };
}

export function anthropicStream(generation: Generation): WireEvent[] {
  const { pieceSize = 16 } = generation.reply;
  const start = { ...envelope(generation), content: [], stop_reason: null, stop_sequence: null };
  const events = [
    event("message_start", { message: { ...start, usage: { ...inputUsage(generation), output_tokens: 1 } } }),
  ];
  for (const [index, block] of blocksOf(generation).entries()) {
    events.push(event("content_block_start", { index, content_block: opening(block) }));
    if (index === 0) events.push(event("ping", {}));
    for (const delta of deltasOf(block, pieceSize))
      events.push({ ...event("content_block_delta", { index, delta }), role: "piece" });
    events.push(event("content_block_stop", { index }));
  }
  const usage = {
    ...inputUsage(generation),
    output_tokens: outputTokensOf(generation.reply, generation.countTokens).total,
  };
  events.push({ ...event("message_delta", { delta: stopOf(generation), usage }), role: "end" });
  events.push({ ...event("message_stop", {}), role: "end" });
  return events;
}

export function anthropicStreamError(): WireEvent[] {
  return [event("error", { error: { type: "overloaded_error", message: "Overloaded" } })];
}

function event(type: string, fields: JsonObject): WireEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}

function envelope({ nth, request }: Generation): JsonObject {
  return { id: `msg_sim_${nth}`, type: "message", role: "assistant", model: request.model };
}

function blocksOf({ nth, reply, request }: Generation): Block[] {
  const { thinking, redacted, text, calls = [] } = reply;
  const signature = signatureOf(thinking ?? "", request.body as unknown as Sealed);
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking" as const, thinking, signature }]),
    ...(redacted === undefined ? [] : [{ type: "redacted_thinking" as const, data: redacted }]),
    ...(text === undefined || text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call, at) => ({
      type: "tool_use" as const,
      id: call.id ?? `toolu_sim_${nth}_${at + 1}`,
      name: call.name,
      raw: argumentsOf(call),
    })),
  ];
}

/** Malformed input cannot be written in one JSON object, so the text itself is used instead. */
function parsed(raw: string): JsonObject | string {
  try {
    return JSON.parse(raw) as JsonObject;
  } catch {
    return raw;
  }
}

function opening(block: Block): JsonObject {
  switch (block.type) {
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted_thinking":
      return block;
    case "text":
      return { type: "text", text: "" };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: {} };
  }
}

function deltasOf(block: Block, size: number): JsonObject[] {
  switch (block.type) {
    case "thinking":
      return [
        ...piecesOf(block.thinking, size).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block.signature },
      ];
    case "redacted_thinking":
      return [];
    case "text":
      return piecesOf(block.text, size).map((text) => ({ type: "text_delta", text }));
    case "tool_use":
      return ["", ...piecesOf(block.raw, size)].map((partial_json) => ({ type: "input_json_delta", partial_json }));
  }
}

function stopOf({ reply }: Generation): JsonObject {
  if (reply.refusal !== undefined) {
    const stop_details = { type: "refusal", category: null, explanation: reply.refusal };
    return { stop_reason: "refusal", stop_sequence: null, stop_details };
  }
  return { stop_reason: reasonOf(reply), stop_sequence: null };
}

function reasonOf({ truncated, paused, calls = [] }: Generation["reply"]): string {
  if (truncated) return "max_tokens";
  if (paused) return "pause_turn";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function inputUsage({ input }: Generation): JsonObject {
  return {
    input_tokens: input.uncached,
    cache_creation_input_tokens: input.written,
    cache_read_input_tokens: input.read,
    cache_creation: {
      ephemeral_5m_input_tokens: input.written - input.writtenForHour,
      ephemeral_1h_input_tokens: input.writtenForHour,
    },
    service_tier: "standard",
  };
}
