/**
 * A past model request, rebuilt: the state as it was is rendered again and checked against the hashes its receipt
 * recorded; tools, system text and tail come from what was kept with it.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  applyReceipt,
  CairnError,
  type CountTokens,
  isBlobRef,
  type MessageBlock,
  type Receipt,
  type RequestChain,
  type RequestCheck,
  receiptOf,
  Timeline,
  verifyRequest,
} from "@cairn/timeline";

export interface PastRequest {
  readonly receipt: Receipt;
  readonly system: string;
  /** JSON, as kept. */
  readonly tools: string;
  /** The stable messages with their checkpoints, then the tail. */
  readonly messages: readonly MessageBlock[];
  readonly check: RequestCheck;
}

export async function rebuildRequest(
  store: ConversationStore,
  key: ConversationKey,
  n: number,
  countTokens: CountTokens,
): Promise<PastRequest> {
  const { chain, seq } = await findReceipt(store, key, n);
  const { receipt } = chain;
  const { state } = await store.stateAt(key, seq);
  const timeline = Timeline.fromState(state, { clock: { now: () => receipt.started_at * 1000 }, countTokens });
  const view = timeline.render();
  const messages: MessageBlock[] = [];
  const checkpoints = new Set(receipt.checkpoints);
  for (let index = 0; index < view.stableLength; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) messages.push(checkpoints.has(index) ? { ...message, cache: true } : message);
  }
  const [tools, system, tail] = await Promise.all(
    [receipt.tools, receipt.system, receipt.tail].map((ref) => readText(store, key, ref)),
  );
  for (const message of JSON.parse(tail ?? "[]") as MessageBlock[]) messages.push(message);
  return { receipt, system: system ?? "", tools: tools ?? "[]", messages, check: verifyRequest(view, chain) };
}

/** Receipts are differences: the one asked for is found by following them from the first. */
async function findReceipt(
  store: ConversationStore,
  key: ConversationKey,
  n: number,
): Promise<{ readonly chain: RequestChain; readonly seq: number }> {
  let chain: RequestChain | null = null;
  const page = 1_000;
  for (let after = 0; ; ) {
    const events = await store.readEvents(key, { after, limit: page });
    for (const { seq, event } of events) {
      after = seq;
      if ("unknown" in event || event.kind !== "model.receipt") continue;
      const receipt = receiptOf(event.body);
      if (receipt === null) continue;
      chain = applyReceipt(chain, receipt);
      if (chain.n === n) return { chain, seq };
    }
    if (events.length < page) break;
  }
  const there = chain === null ? "no requests yet" : `requests 1 to ${chain.n}`;
  throw new CairnError("not_found", `There is no request ${n}: the conversation has ${there}.`, { n });
}

async function readText(store: ConversationStore, key: ConversationKey, ref: string): Promise<string> {
  if (!isBlobRef(ref)) throw new CairnError("corrupt", `${ref} is no reference to stored bytes.`, { ref });
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.readBlob(key, ref)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
