/** A model request that tests change for their cases. */
import type { ModelMessage, ModelRequest } from "@cairn/api";

export function makeRequest(n: number, fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    n,
    seq: n * 10,
    turn_id: "turn_1",
    model: "anthropic:m",
    purpose: "decision",
    started_at: "2026-02-09T10:00:00.000Z",
    first_token_ms: 400,
    duration_ms: 2_000,
    tokens: { tools: 10, system: 10, stable: 70, tail: 10 },
    usage: { input_tokens: 10, cache_read_tokens: 80, cache_write_tokens: 10, output_tokens: 20 },
    is_billed: true,
    is_priced: true,
    cost: 0.01,
    sent_bytes: 400,
    predicted_read: 80,
    resets: [],
    cold: null,
    miss: null,
    coincident: [],
    checkpoints: [],
    ...fields,
  };
}

export function makeMessage(index: number, text: string, fields: Partial<ModelMessage> = {}): ModelMessage {
  return {
    index,
    role: "user",
    kind: "text",
    text,
    mime: null,
    positions: [index],
    paths: [`ar:turn_1.${index}`],
    type: "user.prompt",
    turn_id: "turn_1",
    tokens: 10,
    cost: 0.001,
    hash: text,
    checkpoint: false,
    part: "stable",
    cache: "read",
    overlay: null,
    ...fields,
  };
}
