/**
 * `npm run bench:store`: what the embedded store costs as a conversation grows.
 *
 * One round is 6 events and about 6 KB (notes, call, digest, result, start and settlement of the call); 8 rounds make a
 * turn; the window holds 60,000 tokens (240 KB) and is compacted to 70 % when it is full. Beside it, in the same run and
 * on the same disk: a bare durable INSERT of the same bytes, and a file with the whole conversation rewritten each turn.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ConversationKey, type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { encodeEvent, foldEvents, makeEvent, type TimelineEvent } from "@cairn/timeline";

const SIZES = [10, 100, 1_000, 10_000];
const ROUNDS_PER_TURN = 8;
const WINDOW_CHARS = 240_000;
const key: ConversationKey = { tenant: "bench", project: "p", user: "u", conversation: "c" };

/** Makes the events of a conversation, round by round. */
class Script {
  #position = 0;
  #round = 0;
  #window: { position: number; chars: number }[] = [];
  #compactions = 0;

  next(): TimelineEvent[] {
    const round = this.#round++;
    const turn = `turn_${1_770_000_000_000 + Math.floor(round / ROUNDS_PER_TURN)}_abcdef`;
    const call = `tc_${round.toString(16).padStart(12, "0")}`;
    const ts = new Date(1_770_000_000_000 + round * 1_000).toISOString();
    const meta = { tool_call_id: call };
    const block = (fields: { type: string; [field: string]: unknown }, text: string) =>
      this.#block({ turn_id: turn, ts, ...fields, text });
    const events: TimelineEvent[] = [];
    if (round % ROUNDS_PER_TURN === 0) {
      if (round > 0) events.push(makeEvent("turn.closed", { turn_id: "", ts, exit: "complete" }));
      events.push(makeEvent("turn.opened", { turn_id: turn, ts }));
    }
    if (this.#windowChars() > WINDOW_CHARS) events.push(this.#compact(turn, ts));
    events.push(
      makeEvent("call.started", { turn_id: turn, call_id: call, tool_id: "web_tools.web_fetch", ts }),
      block({ type: "react.notes", path: `ar:${turn}.react.notes.${call}`, meta }, words(round, 600)),
      block(
        { type: "react.tool.call", path: `tc:${turn}.${call}.call`, meta },
        `{"tool_id":"x","params":"${words(round, 500)}"}`,
      ),
      block({ type: "react.tool.result", path: `tc:${turn}.${call}.result`, meta }, words(round + 1, 3_600)),
      block({ type: "react.tool.result", path: `fi:${turn}.files/${call}.md`, meta }, words(round + 2, 500)),
      makeEvent("call.settled", { call_id: call, outcome: "ok", ts }),
    );
    return events;
  }

  #block(block: { type: string; text: string; [field: string]: unknown }): TimelineEvent {
    const position = this.#position++;
    this.#window.push({ position, chars: block.text.length });
    return makeEvent("block.appended", { position, block, tokens: block.text.length >> 2, version: 1 });
  }

  #compact(turn: string, ts: string): TimelineEvent {
    let kept = 0;
    let from = this.#window.length;
    while (from > 0 && kept < WINDOW_CHARS * 0.7) kept += this.#window[--from]?.chars ?? 0;
    const cut = this.#window[from]?.position ?? 0;
    this.#window = this.#window.slice(from);
    const position = this.#position++;
    this.#window.unshift({ position, chars: 8_000 });
    const summary = {
      type: "conv.range.summary",
      turn_id: turn,
      ts,
      path: `su:${turn}.conv.range.summary`,
      text: words(1, 8_000),
    };
    return makeEvent("compaction.committed", { cut, position, summary, tokens: 2_000, version: ++this.#compactions });
  }

  #windowChars(): number {
    return this.#window.reduce((sum, each) => sum + each.chars, 0);
  }
}

function words(seed: number, length: number): string {
  const parts: string[] = [];
  let state = (seed * 2_654_435_761) >>> 0;
  for (let at = 0; at < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const word = `w${(state >>> 12) % 20_000}`;
    parts.push(word);
    at += word.length + 1;
  }
  return parts.join(" ").slice(0, length);
}

/** Bytes this process has given to the disk, as the kernel counts them. */
function bytesWritten(): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0);
  } catch {
    return Number.NaN;
  }
}

async function median(times: number, work: () => Promise<unknown> | unknown): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await work();
    all.push(performance.now() - start);
  }
  return all.sort((a, b) => a - b)[times >> 1] ?? 0;
}

/** Copies the log into the database, so that every measurement pays for its own copying, however short it is. */
function checkpoint(file: string): void {
  const db = new DatabaseSync(file, { timeout: 1_000 });
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** Appends rounds up to `to`, and gives the mean time and bytes of one round over the last `measured` of them. */
async function grow(store: EmbeddedStore, script: Script, writer: Writer, from: number, to: number, file: string) {
  const measured = Math.min(to - from, 400);
  let start = 0;
  let bytes = 0;
  for (let round = from; round < to; round++) {
    if (round === to - measured) {
      checkpoint(file);
      start = performance.now();
      bytes = bytesWritten();
    }
    await writer.append(store, script.next());
  }
  checkpoint(file);
  return { ms: (performance.now() - start) / measured, bytes: (bytesWritten() - bytes) / measured };
}

class Writer {
  readonly #token: number;
  #expectedSeq = 0;

  constructor(token: number) {
    this.#token = token;
  }

  async append(store: EmbeddedStore, events: readonly TimelineEvent[]): Promise<void> {
    const lease = { token: this.#token, expectedSeq: this.#expectedSeq };
    this.#expectedSeq = (await store.append(key, events, { lease })).lastTimelineSeq;
  }
}

async function followLatency(store: EmbeddedStore, dir: string): Promise<{ same: number; other: number }> {
  const other = await openEmbeddedStore({ dir });
  const measure = async (from: EmbeddedStore) => {
    const stop = new AbortController();
    const { last_seq } = await store.getConversation(key);
    const seen: number[] = [];
    let wake: () => void = () => {};
    const following = (async () => {
      for await (const _ of store.follow(key, { after: last_seq, signal: stop.signal })) {
        seen.push(performance.now());
        wake();
      }
    })();
    const times: number[] = [];
    for (let i = 0; i < 21; i++) {
      await new Promise((resolve) => setTimeout(resolve, 7));
      const arrived = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await from.append(key, [makeEvent("cancel.requested", { key: `${from === other}${last_seq}${i}`, ts: "t" })]);
      const start = performance.now();
      await arrived;
      times.push((seen.at(-1) ?? start) - start);
    }
    stop.abort();
    await following;
    return times.sort((a, b) => a - b)[10] ?? 0;
  };
  const result = { same: await measure(store), other: await measure(other) };
  await other.close();
  return result;
}

function bareInsert(dir: string): { ms: number; bytes: number } {
  const db = new DatabaseSync(join(dir, "bare.db"));
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE e (id INTEGER PRIMARY KEY, body TEXT) STRICT",
  );
  const insert = db.prepare("INSERT INTO e (body) VALUES (?)");
  const script = new Script();
  const rounds = Array.from({ length: 800 }, () => script.next());
  let start = 0;
  let bytes = 0;
  for (const [index, events] of rounds.entries()) {
    if (index === 400) {
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      start = performance.now();
      bytes = bytesWritten();
    }
    db.exec("BEGIN IMMEDIATE");
    for (const event of events) insert.run(JSON.stringify(encodeEvent(event)));
    db.exec("COMMIT");
  }
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const result = { ms: (performance.now() - start) / 400, bytes: (bytesWritten() - bytes) / 400 };
  db.close();
  return result;
}

/** One turn kept by writing everything anew: stringify, temporary file, sync, rename. */
async function rewriteWhole(dir: string, rounds: number): Promise<{ ms: number; bytes: number }> {
  const script = new Script();
  const events = Array.from({ length: rounds }, () => script.next()).flat();
  const file = join(dir, "whole.json");
  let bytes = 0;
  const ms = await median(rounds >= 10_000 ? 5 : 15, () => {
    const text = JSON.stringify(events);
    bytes = Buffer.byteLength(text);
    const handle = openSync(`${file}.tmp`, "w");
    writeSync(handle, text);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(`${file}.tmp`, file);
  });
  return { ms, bytes };
}

const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-store-"));
try {
  const bare = bareInsert(dir);
  const store = await openEmbeddedStore({ dir });
  await store.createConversation(key);
  const writer = new Writer((await store.acquireLease(key, "bench", 86_400_000)).token);
  const script = new Script();
  console.log(
    `node ${process.version}, WAL, synchronous=FULL, window ${WINDOW_CHARS / 4} tokens, ${ROUNDS_PER_TURN} rounds a turn`,
  );
  console.log(`bare INSERT of one round: ${bare.ms.toFixed(3)} ms, ${kb(bare.bytes)} written`);
  const table: Record<string, string>[] = [];
  let from = 0;
  for (const rounds of SIZES) {
    const round = await grow(store, script, writer, from, rounds, join(dir, "cairn.db"));
    from = rounds;
    const turn = `turn_${1_770_000_000_000 + Math.floor((rounds / 2 - 1) / ROUNDS_PER_TURN)}_abcdef`;
    const call = `tc_${(rounds / 2 - 1).toString(16).padStart(12, "0")}`;
    const opened = await openEmbeddedStore({ dir });
    const load = await median(15, () => opened.load(key));
    const reread = await median(rounds >= 10_000 ? 3 : 7, () => rereadJournal(opened));
    const find = await median(31, () => opened.findByPath(key, `tc:${turn}.${call}.result`));
    const search = await median(31, () => opened.search(key, "w17 w4711", { limit: 20 }));
    await opened.close();
    const latency = await followLatency(store, dir);
    const whole = await rewriteWhole(dir, rounds);
    table.push({
      rounds: String(rounds),
      "append ms": round.ms.toFixed(3),
      "x bare": (round.ms / bare.ms).toFixed(2),
      "KB/round": kb(round.bytes),
      "turn ms": (round.ms * ROUNDS_PER_TURN).toFixed(2),
      "KB/turn": kb(round.bytes * ROUNDS_PER_TURN),
      "load ms": load.toFixed(2),
      "re-read ms": reread.toFixed(2),
      "findByPath ms": find.toFixed(3),
      "search ms": search.toFixed(3),
      "follow own/other ms": `${latency.same.toFixed(2)} / ${latency.other.toFixed(2)}`,
      "whole file ms/turn": whole.ms.toFixed(2),
      "whole file KB/turn": kb(whole.bytes),
    });
  }
  console.table(table);
  await store.close();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function rereadJournal(store: EmbeddedStore): Promise<void> {
  const events: TimelineEvent[] = [];
  for (let after = 0; ; ) {
    const page = await store.readEvents(key, { after, limit: 10_000 });
    for (const { event } of page) events.push(event);
    if (page.length < 10_000) break;
    after = page.at(-1)?.seq ?? after;
  }
  foldEvents(events);
}

function kb(bytes: number): string {
  return `${(bytes / 1_024).toFixed(1)}`;
}
