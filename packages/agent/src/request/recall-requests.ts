/**
 * What a process that loads a conversation has to know of the requests before it: the last one, so that its own receipt
 * says only what is new; what has changed the prefix since, so that it is declared; what is still to be announced once;
 * and what the provider's cache may still hold.
 *
 * Read from the end of the journal, back to the last receipt and as far as a provider could still find anything: the
 * cost follows what happened lately, not how long the conversation is.
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
  type RenderedView,
  type RequestChain,
  receiptOf,
  Timeline,
  type TimelineState,
} from "@cairn/timeline";
import type { Model } from "../model/model.ts";
import { CacheMemory } from "./cache-memory.ts";
import { type RequestRecord, readRequestRecord } from "./request-record.ts";

export interface RecalledRequests {
  /** The last request; null when there is none, or what it sent cannot be rendered again. */
  readonly chain: RequestChain | null;
  /** What has changed the prefix since the last request. */
  readonly resets: DeclaredReset[];
  /** What is announced once and no answered request has announced yet. */
  readonly notices: string[];
  readonly memory: CacheMemory;
  /** References of texts that are stored with the conversation already, and need not be stored again. */
  readonly keptTexts: Set<string>;
}

export interface Recalled {
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  /** The last event that is in `state`. */
  readonly seq: number;
  readonly state: TimelineState;
  /** `state` rendered. */
  readonly view: RenderedView;
  readonly model: Model;
  readonly cacheKey: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const FIRST_PAGE = 50;
const LARGEST_PAGE = 1_000;
/** Providers look at the last fifty or eighty places of a request: what older requests left there is found no more. */
const MOST_RECEIPTS = 200;

export async function recallRequests(recalled: Recalled): Promise<RecalledRequests> {
  const { state, view, now } = recalled;
  const memory = new CacheMemory(recalled.model.provider);
  const last = state.lastReceipt;
  if (last === null) return { chain: null, resets: [], notices: [], memory, keptTexts: new Set() };
  const since: KnownEvent[] = [];
  const notices: string[] = [];
  let isAnswered = false;
  const receipts: EventBody<"model.receipt">[] = [];
  let lastSeq = 0;
  const oldest = now / 1000 - memory.longestLife;
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
    if (receipts.length >= MOST_RECEIPTS || (isAnswered && (!memory.predicts || reached < oldest))) break;
  }
  for (const body of receipts.toReversed()) {
    const record = readRequestRecord(body);
    if (record.cache !== null && isSameCache(record, recalled)) memory.take(record.cache.entries, body.started_at);
  }
  const keptTexts = new Set([last.tools, last.system].filter((ref) => ref !== undefined));
  const resets = resetsIn(since.toReversed(), state);
  const { renderer_version, stable } = last;
  if (renderer_version !== undefined && isRenderedAnew(state, renderer_version, stable ?? 0))
    resets.push({ cause: "renderer_changed" });
  const sent = resets.length === 0 ? view : await viewAt(recalled, lastSeq, renderer_version);
  return { chain: resumeChain(last, sent), resets, notices: notices.toReversed(), memory, keptTexts };
}

function isAnsweredDecision(body: EventBody<"model.receipt">): boolean {
  return body.usage !== undefined && readRequestRecord(body).purpose === "decision";
}

/** What an event leaves to be announced once: a prune, or what the user thought of an answer. */
function noticeIn(event: KnownEvent): string[] {
  if (event.kind !== "block.appended") return [];
  const { type, text = "", meta } = event.body.block;
  return type === "turn.feedback" || (type === "system.message" && meta?.kind === "cache_ttl_pruned") ? [text] : [];
}

/** Each model has a cache of its own; at OpenAI so has each routing key, which forks share with their root. */
function isSameCache({ model, sent }: RequestRecord, { model: now, cacheKey }: Recalled): boolean {
  return model === now.id && (now.provider !== "openai" || sent?.cache_key === cacheKey);
}

/** What was rendered for the request whose receipt has this seq: what is out of view now was shown then. */
async function viewAt({ store, key, now }: Recalled, seq: number, rendererVersion?: number): Promise<RenderedView> {
  const { state } = await store.stateAt(key, seq);
  const rules = rendererVersion === undefined ? {} : { rendererVersion };
  return Timeline.fromState(state, { clock: { now: () => now }, countTokens: () => 0, ...rules }).render();
}

/** Names everything a request has before its tail. */
export function hashStable(view: RenderedView, length = view.stableLength): string {
  const hash = createHash("sha256");
  for (let index = 0; index < length; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) hash.update(hashMessage(message));
  }
  return hash.digest("hex");
}

/** The last request as a chain of its own, if what is rendered begins with it. */
function resumeChain(body: EventBody<"model.receipt">, view: RenderedView): RequestChain | null {
  const receipt = receiptOf(body);
  if (receipt === null || receipt.stable > view.stableLength) return null;
  if (readRequestRecord(body).stable_hash !== hashStable(view, receipt.stable)) return null;
  const added: string[] = [];
  for (let index = 0; index < receipt.stable; index++) {
    const message = view.stableAt(index);
    if (message !== undefined) added.push(hashMessage(message));
  }
  // Receipts tell tools apart by their reference; which ones they were is in the journal for whoever asks.
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
  for (let end = seq; end > 0; end -= page, page = Math.min(2 * page, LARGEST_PAGE)) {
    const after = Math.max(0, end - page);
    const events = await store.readEvents(key, { after, limit: end - after });
    for (const { seq: at, event } of events.toReversed()) if (!("unknown" in event)) yield { seq: at, event };
  }
}
