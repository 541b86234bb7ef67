/**
 * The conversation that every subject stores. One round is 6 events and about 6 KB (notes, call, result and a file,
 * start and settlement of the call). 8 rounds make a turn. The window holds 60,000 tokens (240 KB) and is compacted to
 * 70 % of that when it is full.
 */
import { makeEvent, type TimelineEvent } from "@cairn/timeline";

export const ROUNDS_PER_TURN = 8;
export const WINDOW_CHARS = 240_000;

/** The content of a round, as a message-based framework would store it. */
export interface RoundText {
  readonly call: string;
  readonly notes: string;
  readonly params: string;
  readonly result: string;
  readonly file: string;
}

export function roundText(round: number): RoundText {
  return {
    call: callOf(round),
    notes: words(round, 600),
    params: words(round, 500),
    result: words(round + 1, 3_600),
    file: words(round + 2, 500),
  };
}

/** The path of a round's result. */
export function resultPath(round: number): string {
  return `tc:${turnOf(round)}.${callOf(round)}.result`;
}

/** Makes the events of a conversation, round by round. */
export class ConversationScript {
  #position = 0;
  #round = 0;
  #window: { position: number; chars: number }[] = [];
  #windowChars = 0;
  #compactions = 0;

  next(): TimelineEvent[] {
    const round = this.#round++;
    const turn = turnOf(round);
    const { call, notes, params, result, file } = roundText(round);
    const ts = new Date(1_770_000_000_000 + round * 1_000).toISOString();
    const meta = { tool_call_id: call };
    const block = (type: string, path: string, text: string) =>
      this.#block({ type, turn_id: turn, ts, path, meta, text });
    const events: TimelineEvent[] = [];
    if (round % ROUNDS_PER_TURN === 0) {
      if (round > 0) events.push(makeEvent("turn.closed", { turn_id: turnOf(round - 1), ts, exit: "complete" }));
      events.push(makeEvent("turn.opened", { turn_id: turn, ts }));
    }
    if (this.#windowChars > WINDOW_CHARS) events.push(this.#compact(turn, ts));
    events.push(
      makeEvent("call.started", { turn_id: turn, call_id: call, tool_id: "web_tools.web_fetch", ts }),
      block("react.notes", `ar:${turn}.react.notes.${call}`, notes),
      block("react.tool.call", `tc:${turn}.${call}.call`, `{"tool_id":"x","params":"${params}"}`),
      block("react.tool.result", resultPath(round), result),
      block("react.tool.result", `fi:${turn}.files/${call}.md`, file),
      makeEvent("call.settled", { call_id: call, outcome: "ok", ts }),
    );
    return events;
  }

  #block(block: { type: string; text: string; [field: string]: unknown }): TimelineEvent {
    const position = this.#position++;
    this.#window.push({ position, chars: block.text.length });
    this.#windowChars += block.text.length;
    return makeEvent("block.appended", { position, block, tokens: block.text.length >> 2, version: 1 });
  }

  #compact(turn: string, ts: string): TimelineEvent {
    let kept = 0;
    let from = this.#window.length;
    while (from > 0 && kept < WINDOW_CHARS * 0.7) kept += this.#window[--from]?.chars ?? 0;
    const cut = this.#window[from]?.position ?? 0;
    const position = this.#position++;
    this.#window = [{ position, chars: 8_000 }, ...this.#window.slice(from)];
    this.#windowChars = kept + 8_000;
    const text = words(1, 8_000);
    const summary = { type: "conv.range.summary", turn_id: turn, ts, path: `su:${turn}.conv.range.summary`, text };
    return makeEvent("compaction.committed", { cut, position, summary, tokens: 2_000, version: ++this.#compactions });
  }
}

function turnOf(round: number): string {
  return `turn_${1_770_000_000_000 + Math.floor(round / ROUNDS_PER_TURN)}_abcdef`;
}

function callOf(round: number): string {
  return `tc_${round.toString(16).padStart(12, "0")}`;
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
