/**
 * Measures the cost of a conversation of a given length: one more round, a cold render, a load, the resolution of a
 * path, memory.
 */
import { type CountTokens, type JsonObject, type RenderedView, Timeline, type TimelineDeps } from "@cairn/timeline";
import { composeTurn, pathsOf, ROUNDS_PER_TURN } from "./conversation.ts";
import { collectGarbage, fastest, fastestPair, keep, settledHeap, spreadOf, timeOnce } from "./measure.ts";
import type { Measurement } from "./measurement.ts";

/** A conversation as a store returns it: parsed JSON, and the token count that is stored with each block. */
interface Stored {
  readonly turns: number;
  readonly payload: { readonly blocks: readonly JsonObject[] };
  readonly sources: readonly JsonObject[];
  readonly tokens: readonly number[];
}

/**
 * A cheap counter, because a real tokenizer takes far longer than the rest of a round and would hide growth in the
 * rest.
 */
const countTokens = (text: string) => Math.ceil(text.length / 4);
const APPENDED_TURNS = 300;
const COUNTED_TURNS = 30;
const RESOLVE_SAMPLES = 200;

export function measureConversation(turns: number, tokenizer: CountTokens): Measurement[] {
  const stored = storeConversation(turns);
  const text = JSON.stringify(stored.payload);
  const runs = turns >= 1_000 ? 7 : 40;
  const [cold, stringify] = fastestPair(
    runs,
    () => loadTimeline(withOwnSources(stored)),
    renderAndRead,
    () => JSON.stringify(stored.payload),
  );
  const load = fastest(
    runs,
    () => withOwnSources(stored),
    (own) => loadTimeline(own),
  );
  const parse = fastest(3, nothing, () => JSON.parse(text));
  const appended = appendRounds(stored, countTokens, APPENDED_TURNS);
  const counted = appendRounds(stored, tokenizer, COUNTED_TURNS);
  const rendered = loadTimeline(stored);
  const view = renderNow(rendered);
  const materialise = fastest(runs, nothing, () => view.messages());
  const resolved = resolvePaths(rendered, turns);
  const heap = measureHeap(stored);
  const prune = fastest(
    Math.min(runs, 5),
    () => renderedAndCold(stored),
    (timeline) => timeline.prune({ now: COLD }),
  );
  const cut = fastest(
    Math.min(runs, 5),
    () => renderedAndCold(stored),
    (timeline) => timeline.planCompaction({ maxTokens: 60_000 }, true),
  );

  const blocks = stored.payload.blocks.length;
  const row = (name: string, unit: Measurement["unit"], value: number, json: number | null): Measurement => ({
    name,
    turns,
    value,
    unit,
    json_stringify: json,
  });
  return [
    row("blocks", "count", blocks, null),
    row("payload", "MB", text.length / 1e6, text.length / 1e6),
    row("append + render", "us", appended.median * 1e3, stringify * 1e3),
    row("append + render, p99", "us", appended.p99 * 1e3, stringify * 1e3),
    row("append + render, o200k tokens", "us", counted.median * 1e3, stringify * 1e3),
    row("messages() copied", "us", materialise * 1e3, stringify * 1e3),
    row("cold render", "ms", cold, stringify),
    row("load", "ms", load, stringify),
    row("JSON.parse", "ms", parse, stringify),
    row("resolve, mean path", "us", resolved.mean * 1e3, stringify * 1e3),
    row("resolve, slowest path", "us", resolved.slowest * 1e3, stringify * 1e3),
    row("TTL prune", "ms", prune, stringify),
    row("compaction cut", "ms", cut, stringify),
    row("heap per block, loaded", "bytes", heap.loaded / blocks, text.length / blocks),
    row("heap per block, rendered", "bytes", heap.rendered / blocks, text.length / blocks),
  ];
}

function storeConversation(turns: number): Stored {
  const timeline = Timeline.create(depsWith(countTokens));
  for (let index = 0; index < turns; index++) {
    const turn = composeTurn(index);
    timeline.contribute(turn.opening);
    for (const round of turn.rounds) {
      timeline.mergeSources(round.sources);
      timeline.contribute(round.blocks);
    }
    timeline.contribute(turn.closing);
    timeline.takeEvents();
  }
  return {
    turns,
    payload: asStored(timeline.payload()),
    sources: asStored(timeline.state.pool.rows()),
    tokens: timeline.state.window.map((entry) => entry.tokens ?? 0),
  };
}

/** The data goes through JSON, so that every string is laid out in memory as after a real load. */
function asStored<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Copies the rows into new objects, because values of rendered rows are cached with the row objects. */
function withOwnSources(stored: Stored): Stored {
  return { ...stored, sources: structuredClone(stored.sources) };
}

function loadTimeline(stored: Stored, count = countTokens): Timeline {
  return Timeline.fromPayload(stored.payload, stored.sources, depsWith(count), stored.tokens);
}

const COLD = 10_000;

/** A timeline that was rendered and sent long ago. */
function renderedAndCold(stored: Stored): Timeline {
  const timeline = loadTimeline(stored);
  renderNow(timeline);
  timeline.visibleTokens();
  timeline.setMeta({ cache_last_touch_at: 1 });
  return timeline;
}

function depsWith(count: CountTokens): TimelineDeps {
  return { clock: { now: () => 1_770_000_000_000 }, countTokens: count };
}

function renderNow(timeline: Timeline): RenderedView {
  return timeline.render({ includeSources: true, includeAnnounce: true });
}

/** Renders, lists every message and reads each text, so that the engine really joins all concatenated strings. */
function renderAndRead(timeline: Timeline): number {
  let read = 0;
  for (const message of renderNow(timeline).messages()) if (message.type === "text") read += readText(message.text);
  return read;
}

/** Searches the text: this reads all of it, and makes the engine flatten concatenations first. */
function readText(text: string): number {
  return text.length + text.indexOf("\0");
}

/**
 * Milliseconds per round. One sample is a turn's five rounds, each contributed with its sources and followed by a
 * render whose new messages and tail are read; the mean of the five counts. A conversation that has grown by a tenth is
 * loaded and rendered again, so that it keeps the stated length.
 */
function appendRounds(stored: Stored, count: CountTokens, samples: number) {
  const perLoad = Math.max(1, Math.floor(stored.turns / 10));
  const times: number[] = [];
  while (times.length < samples) {
    const timeline = loadTimeline(stored, count);
    let seen = renderNow(timeline).stableLength;
    if (times.length === 0) collectGarbage();
    for (let nth = 0; nth < perLoad && times.length < samples; nth++) {
      const turn = composeTurn(stored.turns + nth);
      timeline.contribute(turn.opening);
      seen = lookAt(renderNow(timeline), seen);
      const spent = timeOnce(() => {
        for (const round of turn.rounds) {
          if (round.sources.length > 0) timeline.mergeSources(round.sources);
          timeline.contribute(round.blocks);
          seen = lookAt(renderNow(timeline), seen);
        }
      });
      times.push(spent / ROUNDS_PER_TURN);
      timeline.contribute(turn.closing);
      seen = lookAt(renderNow(timeline), seen);
      timeline.takeEvents();
    }
  }
  return spreadOf(times);
}

/** Reads the new stable messages and the lengths of the tail's messages; returns the number of stable messages. */
function lookAt(view: RenderedView, from: number): number {
  let read = 0;
  for (let at = from; at < view.stableLength; at++) {
    const message = view.at(at);
    if (message?.type === "text") read += readText(message.text);
  }
  for (const message of view.tail) if (message.type === "text") read += message.text.length;
  keep(read);
  return view.stableLength;
}

/**
 * Milliseconds per path: the mean over all kinds, and the kind that takes longest. The sampled turns are spread evenly
 * over the conversation.
 */
function resolvePaths(timeline: Timeline, turns: number) {
  const kinds = pathsOf(0).length;
  const perKind: number[][] = Array.from({ length: kinds }, () => []);
  for (let sample = 0; sample < RESOLVE_SAMPLES; sample++) {
    const paths = pathsOf(Math.floor((sample * turns) / RESOLVE_SAMPLES));
    for (const [kind, path] of paths.entries()) perKind[kind]?.push(timeOnce(() => timeline.resolve(path)));
  }
  const medians = perKind.map((times) => spreadOf(times).median);
  return { mean: medians.reduce((sum, each) => sum + each, 0) / kinds, slowest: Math.max(...medians) };
}

/**
 * Bytes that the engine holds in addition to the payload: after loading, and after a render whose texts were all read.
 */
function measureHeap(stored: Stored) {
  const before = settledHeap();
  const timeline = loadTimeline(stored);
  const loaded = settledHeap() - before;
  keep(renderAndRead(timeline));
  const rendered = settledHeap() - before;
  keep(timeline);
  return { loaded, rendered };
}

function nothing(): null {
  return null;
}
