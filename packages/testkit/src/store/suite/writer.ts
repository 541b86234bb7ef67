/** A writer like the agent: it holds the lease, makes events with a timeline and appends them in batches. */
import type { Appended, ConversationKey, ConversationStore, Lease } from "@cairn/store";
import { type Block, foldEvents, makeEvent, Timeline, type TimelineEvent } from "@cairn/timeline";
import { make } from "../../conversation/index.ts";
import type { JournalScript } from "./journal-script.ts";

const deps = { clock: { now: () => Date.UTC(2026, 1, 9) }, countTokens: (text: string) => Math.ceil(text.length / 4) };
export const TS = "2026-02-09T00:00:00.000Z";

export class Writer {
  readonly timeline = Timeline.create(deps);
  readonly #store: ConversationStore;
  readonly #key: ConversationKey;
  readonly lease: Lease;
  lastSeq = 0;
  #expectedSeq: number;

  private constructor(store: ConversationStore, key: ConversationKey, lease: Lease) {
    this.#store = store;
    this.#key = key;
    this.lease = lease;
    this.#expectedSeq = lease.last_timeline_seq;
  }

  /** Makes the conversation and takes its lease. */
  static async create(store: ConversationStore, key: ConversationKey): Promise<Writer> {
    await store.createConversation(key);
    return new Writer(store, key, await store.acquireLease(key, "writer", 3_600_000));
  }

  get expected(): { token: number; expectedSeq: number } {
    return { token: this.lease.token, expectedSeq: this.#expectedSeq };
  }

  /** Appends given events unchanged. */
  async append(...events: readonly TimelineEvent[]): Promise<Appended> {
    const appended = await this.#store.append(this.#key, events, { lease: this.expected });
    this.#expectedSeq = appended.lastTimelineSeq;
    this.lastSeq = appended.lastSeq;
    return appended;
  }

  /** Contributes blocks and appends the resulting events. */
  async contribute(...blocks: readonly Block[]): Promise<Appended> {
    this.timeline.contribute(blocks);
    return this.append(...this.timeline.takeEvents());
  }

  /** A whole turn: prompt, `blocks`, answer. */
  async turn(id: string, prompt: string, answer: string, ...blocks: readonly Block[]): Promise<Appended> {
    this.timeline.openTurn(id);
    this.timeline.contribute([make.prompt(id, prompt), ...blocks, make.completion(id, answer)]);
    this.timeline.closeTurn("complete");
    return this.append(...this.timeline.takeEvents());
  }
}

export function receiveInput(key: string, message = "hello"): TimelineEvent {
  return makeEvent("input.received", { key, mode: "turn", message, attachments: [], ts: TS });
}

export function setTitle(conversation_title: string): TimelineEvent {
  return makeEvent("meta.set", { conversation_title });
}

export function appendBlock(position: number, block: Block): TimelineEvent {
  return makeEvent("block.appended", { position, block, tokens: 1, version: block.path === undefined ? 0 : 1 });
}

/** A block at `position` whose bytes have the reference `ref`. */
export function appendBlob(position: number, ref: string): TimelineEvent {
  const path = `fi:turn_1.files/${position}.png`;
  return appendBlock(position, {
    type: "react.tool.result",
    turn_id: "turn_1",
    path,
    mime: "image/png",
    meta: { blob: ref },
  });
}

/** Appends a script to a new conversation and returns the state its events fold to. */
export async function playScript(store: ConversationStore, key: ConversationKey, script: JournalScript) {
  await store.createConversation(key);
  const { token } = await store.acquireLease(key, "script", 3_600_000);
  for (const bytes of script.blobs.values()) await store.putBlob(key, [bytes]);
  let expectedSeq = 0;
  const events: TimelineEvent[] = [];
  for (const batch of script.batches) {
    const options = batch.class === "inputs" ? {} : { lease: { token, expectedSeq } };
    const appended = await store.append(key, batch.events, options);
    expectedSeq = appended.lastTimelineSeq;
    events.push(...batch.events);
  }
  return { events, state: foldEvents(events), token, expectedSeq };
}
