/** A scripted message as Chat Completions: one object, or chunks. Only some servers have a field for thinking. */
import type { JsonObject } from "@cairn/timeline";
import { hasBreakpoints } from "../body/openai-model-family.ts";
import type { Generation } from "../dialect/dialect.ts";
import { piecesOf, type WireEvent } from "../http/wire-event.ts";
import { argumentsOf, outputTokensOf } from "../script/reply-tokens.ts";

export function completion(generation: Generation): JsonObject {
  const { text, refusal, thinking } = generation.reply;
  const calls = callsOf(generation);
  const message = {
    role: "assistant",
    content: text ?? null,
    ...(generation.tellsThoughts && thinking !== undefined ? { reasoning_content: thinking } : {}),
    refusal: refusal ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(generation) };
  return { ...envelope(generation, "chat.completion"), choices: [choice], usage: usageOf(generation) };
}

export function completionStream(generation: Generation): WireEvent[] {
  const { reply, request, tellsUsage, tellsThoughts } = generation;
  const { pieceSize = 16 } = reply;
  const { stream_options } = request.body as { stream_options?: { include_usage?: boolean } | null };
  const withUsage = tellsUsage && stream_options?.include_usage === true;
  const chunk = (fields: JsonObject, role?: "piece" | "end"): WireEvent => ({
    data: JSON.stringify({
      ...envelope(generation, "chat.completion.chunk"),
      ...(withUsage ? { usage: null } : {}),
      ...fields,
    }),
    ...(role === undefined ? {} : { role }),
  });
  const choice = (delta: JsonObject, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const pieces = (text: string) => piecesOf(text, pieceSize);
  return [
    chunk(choice({ role: "assistant", content: "", refusal: null })),
    ...pieces(tellsThoughts ? (reply.thinking ?? "") : "").map((reasoning_content) =>
      chunk(choice({ reasoning_content }), "piece"),
    ),
    ...pieces(reply.text ?? "").map((content) => chunk(choice({ content }), "piece")),
    ...pieces(reply.refusal ?? "").map((refusal) => chunk(choice({ refusal }), "piece")),
    ...callsOf(generation).flatMap((call, index) => {
      const { name, arguments: text } = call.function;
      const opening = { index, id: call.id, type: call.type, function: { name, arguments: "" } };
      return [
        chunk(choice({ tool_calls: [opening] }), "piece"),
        ...pieces(text).map((piece) =>
          chunk(choice({ tool_calls: [{ index, function: { arguments: piece } }] }), "piece"),
        ),
      ];
    }),
    chunk(choice({}, finishReason(generation)), "end"),
    ...(withUsage ? [chunk({ choices: [], usage: usageOf(generation) }, "end")] : []),
    { data: "[DONE]", role: "end" },
  ];
}

export function completionStreamError(): WireEvent[] {
  const message = "The server is currently overloaded. Please try again later.";
  return [
    { data: JSON.stringify({ error: { message, type: "server_error", param: null, code: "server_overloaded" } }) },
  ];
}

function callsOf({ nth, reply }: Generation) {
  return (reply.calls ?? []).map((call, at) => ({
    id: call.id ?? `call_sim_${nth}_${at + 1}`,
    type: "function" as const,
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
}

function envelope({ nth, at, request }: Generation, object: string): JsonObject {
  const created = Math.floor(at / 1_000);
  return { id: `chatcmpl_sim_${nth}`, object, created, model: request.model, service_tier: "default" };
}

function finishReason({ reply }: Generation): string {
  if (reply.truncated) return "length";
  return (reply.calls ?? []).length > 0 ? "tool_calls" : "stop";
}

function usageOf({ input, reply, request, countTokens }: Generation): JsonObject {
  const output = outputTokensOf(reply, countTokens);
  const writes = hasBreakpoints(request.model) ? { cache_write_tokens: input.written } : {};
  return {
    prompt_tokens: input.total,
    completion_tokens: output.total,
    total_tokens: input.total + output.total,
    prompt_tokens_details: { cached_tokens: input.read, audio_tokens: 0, ...writes },
    completion_tokens_details: { reasoning_tokens: output.thinking, audio_tokens: 0 },
  };
}
