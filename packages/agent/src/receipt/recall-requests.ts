/**
 * Loads the data about earlier requests that a process needs to continue a conversation: the last request, so that the
 * next receipt contains only new content; later changes of the prefix, which must be declared; notices that are not
 * announced yet; and what the provider's cache may contain, also from other conversations of the tree.
 *
 * The journal is read backwards to the last receipt, and as far as cache entries may live. So the cost depends on
 * recent events and not on the length of the conversation.
 */
import { createHash } from "node:crypto";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  applyReceipt,
  type DeclaredReset,
  type EventBody,
  hashMessage,
  isRenderedAnew,
  type KnownEvent,
  kindOf,
  type RenderedView,
  type RequestChain,
  receiptOf,
  Timeline,
  type TimelineState,
} from "@cairn/timeline";
import type { Model } from "../model/model.ts";
import { CacheMemory } from "./cache-memory.ts";
import { type RequestRecord, readRequestRecord } from "./request-record.ts";
import { treeReceipts } from "./tree-receipts.ts";

export interface RecalledRequests {
  /** The last request; null if there is none, or if it cannot be rendered again. */
  readonly chain: RequestChain | null;
  /** Changes of the prefix since the last request. */
  readonly resets: DeclaredReset[];
  /** Notices that no answered request has announced yet. */
  readonly notices: string[];
  readonly memory: CacheMemory;
  /** References of texts that the store already has. */
  readonly keptTexts: Set<string>;
}

export interface Recalled {
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  /** Seq of the last event that `state` includes. */
  readonly seq: number;
  readonly state: TimelineState;
  /** The view that is rendered from `state`. */
  readonly view: RenderedView;
  readonly model: Model;
  readonly cacheKey: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const FIRST_PAGE = 50;
const MAX_PAGE = 1_000;
/** Older requests are not read, because providers look for entries only at the last 50 or 80 blocks of a request. */
const MAX_RECEIPTS = 200;

export async function recallRequests(recalled: Recalled): Promise<RecalledRequests> {
  const { state, view, now } = recalled;
  const memory = new CacheMemory(recalled.model.provider);
  const last = state.lastReceipt;
  const oldest = now / 1000 - memory.longestLife;
  const elsewhere = memory.predicts ? await treeReceipts(recalled.store, recalled.key, oldest) : [];
  if (last === null) {
    remember(memory, elsewhere, recalled);
    return { chain: null, resets: [], notices: [], memory, keptTexts: new Set() };
  }
  const since: KnownEvent[] = [];
  const notices: string[] = [];
  let isAnswered = false;
  const receipts: EventBody<"model.receipt">[] = [];
  let lastSeq = 0;
  for await (const { seq, event } of eventsBackwards(recalled)) {
    if (event.kind === "model.receipt") {
      if (receipts.length === 0) lastSeq = seq;
      receipts.push(event.body);
      isAnswered ||= isAnsweredDecision(event.body);
    } else {
      if (receipts.length === 0) since.push(event);
      if (!isAnswered) notices.push(...noticeIn(event));
    }
    const reached = receipts.at(-1)?.started_at;
    if (reached === undefined) continue;
    if (receipts.length >= MAX_RECEIPTS || (isAnswered && (!memory.predicts || reached < oldest))) break;
  }
  remember(memory, [...receipts, ...elsewhere], recalled);
  const keptTexts = new Set([last.tools, last.system].filter((ref) => ref !== undefined));
  const resets = resetsIn(since.toReversed(), state);
  const { renderer_version, stable } = last;
  if (renderer_version !== undefined && isRenderedAnew(state, renderer_version, stable ?? 0))
    resets.push({ cause: "renderer_changed" });
  const sent = resets.length === 0 ? view : await viewAt(recalled, lastSeq, renderer_version);
  return { chain: resumeChain(last, sent), resets, notices: notices.toReversed(), memory, keptTexts };
}

function remember(memory: CacheMemory, receipts: readonly EventBody<"model.receipt">[], recalled: Recalled): void {
  for (const body of receipts.toSorted((a, b) => a.started_at - b.started_at)) {
    const record = readRequestRecord(body);
    if (record.cache !== null && isSameCache(record, recalled)) memory.take(record.cache.entries, body.started_at);
  }
}

function isAnsweredDecision(body: EventBody<"model.receipt">): boolean {
  return body.usage !== undefined && readRequestRecord(body).purpose === "decision";
}

/** The notice that an event causes. Events that cause one are prunes and the user's feedback on an answer. */
function noticeIn(event: KnownEvent): string[] {
  if (event.kind !== "block.appended") return [];
  const { block } = event.body;
  return kindOf(block.type).isAnnounced(block) ? [block.text ?? ""] : [];
}

/** Each model has its own cache. At OpenAI, each routing key has one, too; branches use the key of their root. */
function isSameCache({ model, sent }: RequestRecord, { model: now, cacheKey }: Recalled): boolean {
  return model === now.id && (now.provider !== "openai" || sent?.cache_key === cacheKey);
}

/** The view of the request whose receipt has this seq, including content that is no longer in view. */
async function viewAt({ store, key, now }: Recalled, seq: number, rendererVersion?: number): Promise<RenderedView> {
  const { state } = await store.stateAt(key, seq);
  const rules = rendererVersion === undefined ? {} : { rendererVersion };
  return Timeline.fromState(state, { clock: { now: () => now }, countTokens: () => 0, ...rules }).render();
}

/** A hash of everything before the tail of a request. */
export function hashStable(view: RenderedView, length = view.stableLength): string {
  const hash = createHash("sha256");
  for (let index = 0; index < length; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) hash.update(hashMessage(message));
  }
  return hash.digest("hex");
}

/** Builds the request chain from the last receipt alone, if the current view begins with the blocks of its request. */
function resumeChain(body: EventBody<"model.receipt">, view: RenderedView): RequestChain | null {
  const receipt = receiptOf(body);
  if (receipt === null || receipt.stable > view.stableLength) return null;
  if (readRequestRecord(body).stable_hash !== hashStable(view, receipt.stable)) return null;
  const added: string[] = [];
  for (let index = 0; index < receipt.stable; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) added.push(hashMessage(message));
  }
  // Receipts identify tools by their reference; the journal contains the tools themselves.
  const tool_hashes = receipt.tool_hashes ?? [];
  return applyReceipt(null, { ...receipt, previous: null, keep: 0, added, tool_hashes });
}

function resetsIn(events: readonly KnownEvent[], state: TimelineState): DeclaredReset[] {
  return events.flatMap((event): DeclaredReset[] => {
    switch (event.kind) {
      case "blocks.hidden": {
        const positions = new Set(event.body.groups.flatMap((group) => group.positions));
        const hidden = state.window.filter(({ position }) => positions.has(position));
        const tokens = hidden.reduce((sum, entry) => sum + (entry.tokens ?? 0), 0);
        return [{ cause: "hide", blocks: positions.size, tokens }];
      }
      case "blocks.pruned":
        return [{ cause: event.body.by === "ttl" ? "ttl_prune" : "turn_prune", blocks: event.body.groups.length }];
      case "blocks.clipped": {
        const sent = event.body.clips.filter(({ position }) => position < (state.sentPosition ?? 0));
        return sent.length === 0 ? [] : [{ cause: "clip", blocks: sent.length }];
      }
      case "compaction.committed":
        return [{ cause: "compaction" }];
      default:
        return [];
    }
  });
}

async function* eventsBackwards({ store, key, seq }: Recalled): AsyncGenerator<{ seq: number; event: KnownEvent }> {
  let page = FIRST_PAGE;
  for (let end = seq; end > 0; end -= page, page = Math.min(2 * page, MAX_PAGE)) {
    const after = Math.max(0, end - page);
    const events = await store.readEvents(key, { after, limit: end - after });
    for (const { seq: at, event } of events.toReversed()) if (!("unknown" in event)) yield { seq: at, event };
  }
}
