/** A model request in the API: its parts, its cost, and why it was not read completely from the cache. */
import type { RecordedRequest } from "@cairn/agent";

export function describeRequest({ n, seq, turnId, model, receipt, record, miss, cold, coincident }: RecordedRequest) {
  const { tokens, usage, cost, resets, checkpoints, started_at } = receipt;
  return {
    n,
    seq,
    turn_id: turnId,
    model,
    tokens,
    checkpoints,
    purpose: record.purpose,
    started_at: new Date(started_at * 1000).toISOString(),
    first_token_ms: record.timing?.first_token_ms ?? null,
    duration_ms: record.timing?.total_ms ?? null,
    usage: usage ?? { input_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, output_tokens: 0 },
    // No cost is known, because the answer was interrupted.
    is_billed: usage !== undefined,
    is_priced: cost !== undefined,
    cost: cost ?? 0,
    sent_bytes: record.sent?.bytes ?? null,
    predicted_read: record.cache?.predicted_read ?? null,
    resets: resets.map(({ cause, ...facts }) => ({ cause, ...facts })),
    cold: cold === null ? null : { cause: cold.cause, detail: cold.detail },
    coincident: coincident.map(({ cause, detail }) => ({ cause, detail })),
    miss:
      miss === null
        ? null
        : {
            part: miss.at.part,
            index: miss.at.index,
            path: miss.at.name ?? null,
            cause: miss.cause,
            declared: miss.cause !== "undeclared",
            detail: miss.detail,
            ...(miss.before === undefined ? {} : { before: miss.before }),
            ...(miss.after === undefined ? {} : { after: miss.after }),
          },
  };
}
