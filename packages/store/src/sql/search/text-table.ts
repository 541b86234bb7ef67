/**
 * The texts of a segment: the event of each, and the data that ranking and filters need. The texts are in the order of
 * their conversations' numbers, and within a conversation in the order of their events.
 */
import { KINDS, kindOf } from "@cairn/timeline";
import { ByteReader, ByteWriter } from "./bytes.ts";

export interface IndexedText {
  readonly conversation: number;
  readonly event: number;
  readonly length: number;
  readonly kind: number;
  /** Time of the text, in seconds since 1970. */
  readonly time: number;
}

/** One array per column, because a scope may have very many texts. */
export interface TextTable {
  readonly count: number;
  readonly conversations: Float64Array;
  readonly events: Float64Array;
  readonly lengths: Uint32Array;
  readonly kinds: Uint8Array;
  readonly times: Float64Array;
}

/** The code of texts whose type no block kind names, which are files. */
const OTHER = 0;
const MESSAGES = new Set(KINDS.flatMap(({ search }) => (search?.isMessage ? [search.code] : [])));

/** The code of a block type, as it is stored in the index. */
export function codeOf(type: string): number {
  return kindOf(type).search?.code ?? OTHER;
}

export function isMessage(kind: number): boolean {
  return MESSAGES.has(kind);
}

export function compareTexts(a: IndexedText, b: IndexedText): number {
  return a.conversation - b.conversation || a.event - b.event;
}

export function tableOf(texts: readonly IndexedText[]): TextTable {
  return {
    count: texts.length,
    conversations: Float64Array.from(texts, (text) => text.conversation),
    events: Float64Array.from(texts, (text) => text.event),
    lengths: Uint32Array.from(texts, (text) => text.length),
    kinds: Uint8Array.from(texts, (text) => text.kind),
    times: Float64Array.from(texts, (text) => text.time),
  };
}

export function* textsOf(table: TextTable): Generator<IndexedText> {
  const { conversations, events, lengths, kinds, times } = table;
  for (let nth = 0; nth < table.count; nth++)
    yield {
      conversation: conversations[nth] ?? 0,
      event: events[nth] ?? 0,
      length: lengths[nth] ?? 0,
      kind: kinds[nth] ?? 0,
      time: times[nth] ?? 0,
    };
}

export function encodeTable(table: TextTable): Uint8Array {
  const writer = new ByteWriter();
  writer.number(table.count);
  let before = { conversation: 0, event: 0, time: 0 };
  for (const text of textsOf(table)) {
    const step = text.conversation - before.conversation;
    writer.number(step);
    writer.number(step === 0 ? text.event - before.event : text.event);
    writer.number(text.length);
    writer.number(text.kind);
    writer.signed(text.time - before.time);
    before = text;
  }
  return writer.finish();
}

export function decodeTable(bytes: Uint8Array): TextTable {
  const reader = new ByteReader(bytes);
  const count = reader.number();
  const conversations = new Float64Array(count);
  const events = new Float64Array(count);
  const lengths = new Uint32Array(count);
  const kinds = new Uint8Array(count);
  const times = new Float64Array(count);
  for (let nth = 0, conversation = 0, event = 0, time = 0; nth < count; nth++) {
    const step = reader.number();
    conversation += step;
    event = step === 0 ? event + reader.number() : reader.number();
    lengths[nth] = reader.number();
    kinds[nth] = reader.number();
    time += reader.signed();
    conversations[nth] = conversation;
    events[nth] = event;
    times[nth] = time;
  }
  return { count, conversations, events, lengths, kinds, times };
}
