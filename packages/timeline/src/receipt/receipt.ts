/**
 * A receipt: what one model request was made of, as the difference from the request before it.
 *
 * Stable message blocks are named by their hashes: the first `keep` are those of the previous request, `added` follow.
 * Without resets, all receipts of a conversation with n blocks contain n hashes in total. Tools, system text and tail
 * are references to blobs, so unchanged parts are stored once. With the journal, which contains the blocks, any past
 * request can be rebuilt and checked (`request-chain.ts`, `verify-request.ts`).
 *
 * A receipt whose `previous` is null is complete in itself: the first one, and the first of a process that loaded the
 * conversation without its chain.
 */
import type { BlobRef } from "../block/blob.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import type { EventBody } from "../event/event.ts";

export interface ToolHash {
  readonly name: string;
  readonly hash: string;
}

/** Estimated tokens of each part of a request. */
export interface RequestTokens {
  readonly tools: number;
  readonly system: number;
  readonly stable: number;
  readonly tail: number;
}

/** Usage as the provider reported it. The whole input is the sum of the first three fields. */
export interface ReportedUsage {
  /** Input tokens that were neither read from the cache nor written to it. */
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
}

/** A type and not an interface, so that it can be used directly as the body of a `model.receipt`. */
export type Receipt = {
  /** Number of the request in its conversation, from 1. */
  readonly n: number;
  /** `n - 1`, or null when the receipt does not build on an earlier one. */
  readonly previous: number | null;
  /** Number of stable message blocks taken from the previous request. */
  readonly keep: number;
  /** Hashes of the stable message blocks after the kept ones. */
  readonly added: readonly string[];
  /** Number of stable message blocks: `keep` and `added` together. */
  readonly stable: number;
  /** Indices of the message blocks that carried a checkpoint. */
  readonly checkpoints: readonly number[];
  readonly tools: BlobRef;
  /** Hashes of the tools, in the order sent. Absent if they are those of the previous request. */
  readonly tool_hashes?: readonly ToolHash[] | undefined;
  readonly system: BlobRef;
  readonly tail: BlobRef;
  readonly tokens: RequestTokens;
  readonly usage?: ReportedUsage | undefined;
  /** Cost of the request in US dollars. */
  readonly cost?: number | undefined;
  /** Resets declared between the previous request and this one. */
  readonly resets: readonly DeclaredReset[];
  readonly renderer_version: number;
  /** Start of the request, in epoch seconds. */
  readonly started_at: number;
};

/** The receipt in an event; null for an event that only records the time of a request. */
export function receiptOf(body: EventBody<"model.receipt">): Receipt | null {
  return isReceipt(body) ? body : null;
}

const NEEDED = [
  ...["n", "previous", "keep", "added", "stable", "checkpoints", "tools"],
  ...["system", "tail", "tokens", "resets", "renderer_version"],
] as const;

/** Checks that no field is missing. The schema of the event has already checked the fields that are present. */
function isReceipt(body: object): body is Receipt {
  return NEEDED.every((field) => field in body);
}
