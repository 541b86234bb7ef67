/** A scripted message in the format of the Responses API: one object, or the events of a stream. */
import type { JsonObject } from "@cairn/timeline";
import { hasBreakpoints } from "../body/openai-model-family.ts";
import type { Failure, Generation } from "../dialect/dialect.ts";
import { piecesOf, type WireEvent } from "../http/wire-event.ts";
import { argumentsOf, outputTokensOf } from "../script/reply-tokens.ts";
import { seal } from "../script/seal.ts";
import { itemEvents } from "./item-events.ts";

export function response(generation: Generation): JsonObject {
  const { truncated } = generation.reply;
  return {
    ...envelope(generation),
    status: truncated ? "incomplete" : "completed",
    incomplete_details: truncated ? { reason: "max_output_tokens" } : null,
    output: outputItems(generation),
    usage: usageOf(generation),
  };
}

export function responseStream(generation: Generation): WireEvent[] {
  const { pieceSize = 16, truncated } = generation.reply;
  const numbered = sequence();
  const events = opening(generation, numbered);
  for (const [index, item] of outputItems(generation).entries())
    for (const { isPiece, ...event } of itemEvents(item, index, (text) => piecesOf(text, pieceSize)))
      events.push({ ...numbered(event), ...(isPiece ? { role: "piece" } : {}) });
  const type = truncated ? "response.incomplete" : "response.completed";
  events.push({ ...numbered({ type, fields: { response: response(generation) } }), role: "end" });
  return events;
}

/** The provider reports a prompt that is too large after the stream has begun. */
export function responseFailure(failure: Failure, message: string, generation: Generation): WireEvent[] | null {
  if (failure.kind !== "context_limit") return null;
  const numbered = sequence();
  const code = "context_length_exceeded";
  return [
    ...opening(generation, numbered),
    numbered({ type: "error", fields: { error: { type: "invalid_request_error", code, message, param: "input" } } }),
    numbered({ type: "response.failed", fields: { response: failed(generation, code, message) } }),
  ];
}

export function responseStreamError(generation: Generation, sent: number): WireEvent[] {
  const message = "The server is currently overloaded. Please try again later.";
  const numbered = sequence(sent);
  return [
    numbered({
      type: "error",
      fields: { error: { type: "server_error", code: "server_overloaded", message, param: null } },
    }),
    numbered({ type: "response.failed", fields: { response: failed(generation, "server_overloaded", message) } }),
  ];
}

function opening(generation: Generation, numbered: Numbered): WireEvent[] {
  const begun = { ...envelope(generation), status: "in_progress", output: [], usage: null, incomplete_details: null };
  return ["response.created", "response.in_progress"].map((type) => numbered({ type, fields: { response: begun } }));
}

function failed(generation: Generation, code: string, message: string): JsonObject {
  return {
    ...envelope(generation),
    status: "failed",
    error: { code, message },
    output: [],
    usage: null,
    incomplete_details: null,
  };
}

type Numbered = (event: { readonly type: string; readonly fields: JsonObject }) => WireEvent;

function sequence(start = 0): Numbered {
  let next = start;
  return ({ type, fields }) => ({ event: type, data: JSON.stringify({ type, sequence_number: next++, ...fields }) });
}

function envelope({ nth, at, request }: Generation): JsonObject {
  return {
    id: `resp_sim_${nth}`,
    object: "response",
    created_at: Math.floor(at / 1_000),
    error: null,
    model: request.model,
    parallel_tool_calls: true,
    metadata: {},
  };
}

export function outputItems({ nth, reply }: Generation): JsonObject[] {
  const { thinking, text, refusal, calls = [], truncated } = reply;
  const status = truncated ? "incomplete" : "completed";
  const content = [
    ...(text === undefined ? [] : [{ type: "output_text", text, annotations: [] }]),
    ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
  ];
  return [
    ...(thinking === undefined
      ? []
      : [
          {
            id: `rs_sim_${nth}`,
            type: "reasoning",
            summary: [{ type: "summary_text", text: thinking }],
            encrypted_content: seal(`sealed_sim_${nth}`),
          },
        ]),
    ...(content.length === 0 ? [] : [{ id: `msg_sim_${nth}`, type: "message", role: "assistant", status, content }]),
    ...calls.map((call, at) => ({
      id: `fc_sim_${nth}_${at + 1}`,
      type: "function_call",
      call_id: call.id ?? `call_sim_${nth}_${at + 1}`,
      name: call.name,
      arguments: argumentsOf(call),
      status,
    })),
  ];
}

function usageOf({ input, reply, request, countTokens }: Generation): JsonObject {
  const output = outputTokensOf(reply, countTokens);
  const writes = hasBreakpoints(request.model) ? { cache_write_tokens: input.written } : {};
  return {
    input_tokens: input.total,
    input_tokens_details: { cached_tokens: input.read, ...writes },
    output_tokens: output.total,
    output_tokens_details: { reasoning_tokens: output.thinking },
    total_tokens: input.total + output.total,
  };
}
