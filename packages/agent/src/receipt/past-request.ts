/** A past model request, rendered again from the earlier state and checked against the hashes in its receipt. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  CairnError,
  type CountTokens,
  isBlobRef,
  type MessageBlock,
  RenderedView,
  type RequestCheck,
  Timeline,
  type TimelineState,
  verifyRequest,
} from "@cairn/timeline";
import { type RecordedRequest, recordedRequests } from "./recorded-requests.ts";

export interface PastRequest extends RecordedRequest {
  readonly system: string;
  /** The tools as JSON, as the provider received them. */
  readonly tools: string;
  /** The stable messages with their checkpoints, then the tail. */
  readonly view: RenderedView;
  readonly messages: readonly MessageBlock[];
  readonly check: RequestCheck;
  /** The state at the time of the request, after it was rendered. Its entries contain the messages of the view. */
  readonly state: TimelineState;
}

/** Throws `not_found` when the conversation has no request with that number. */
export async function rebuildRequest(
  store: ConversationStore,
  key: ConversationKey,
  n: number,
  countTokens: CountTokens,
): Promise<PastRequest> {
  return rebuildRecorded(store, key, await findRequest(store, key, n), countTokens);
}

/** Like `rebuildRequest`, for a caller that already has the record: reads only the state before the request. */
export async function rebuildRecorded(
  store: ConversationStore,
  key: ConversationKey,
  request: RecordedRequest,
  countTokens: CountTokens,
): Promise<PastRequest> {
  const { chain, receipt, seq } = request;
  const { state } = await store.stateAt(key, seq);
  const clock = { now: () => receipt.started_at * 1000 };
  const timeline = Timeline.fromState(state, { clock, countTokens, rendererVersion: receipt.renderer_version });
  const rendered = timeline.render();
  const [tools, system, tail] = await Promise.all([
    readText(store, key, receipt.tools),
    readText(store, key, receipt.system),
    readText(store, key, receipt.tail),
  ]);
  const view = viewAsSent(rendered, receipt.checkpoints, JSON.parse(tail) as MessageBlock[]);
  return { ...request, system, tools, view, messages: view.messages(), check: verifyRequest(view, chain), state };
}

/**
 * At the time of the request, checkpoints depended on the memory of the process and the tail on the clock, so both are
 * taken from the receipt.
 */
function viewAsSent(view: RenderedView, checkpoints: readonly number[], tail: readonly MessageBlock[]): RenderedView {
  const stable: MessageBlock[] = [];
  for (let index = 0; index < view.stableLength; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) stable.push(message);
  }
  const groupStarts = [...view.groups()].map(([from]) => from);
  return new RenderedView(stable, stable.length, checkpoints, tail, groupStarts, [...view.origins()]);
}

async function findRequest(store: ConversationStore, key: ConversationKey, n: number): Promise<RecordedRequest> {
  let last = 0;
  for await (const request of recordedRequests(store, key)) {
    if (request.n === n) return request;
    last = request.n;
  }
  throw noRequest(n, last);
}

/** `last`: number of the last request, 0 for none. */
export function noRequest(n: number, last: number): CairnError {
  const there = last === 0 ? "no requests yet" : `requests 1 to ${last}`;
  return new CairnError("not_found", `There is no request ${n}: the conversation has ${there}.`, { n });
}

async function readText(store: ConversationStore, key: ConversationKey, ref: string): Promise<string> {
  if (!isBlobRef(ref)) throw new CairnError("corrupt", `${ref} is not a blob reference.`, { ref });
  return Buffer.concat(await Array.fromAsync(store.readBlob(key, ref))).toString("utf8");
}
