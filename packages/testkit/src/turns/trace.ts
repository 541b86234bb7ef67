/**
 * A recorded conversation to play as real turns: sizes and times (`bench/traces`), with text of about the recorded
 * number of tokens. Rounds that found sources are played as searches, other rounds as fetches, with one block for each
 * page. Deterministic.
 */
import { type AnyTool, defineTool } from "@cairn/agent";
import type { SourceInput } from "@cairn/timeline";
import { z } from "zod";
import type { MessageReply } from "../models/index.ts";

export interface TraceRound {
  /** Seconds from the request that decided on the round to the next request. */
  readonly seconds: number;
  readonly notes_tokens: number;
  readonly call_tokens: number;
  /** One figure for each block of the call's result. */
  readonly result_tokens: readonly number[];
  readonly new_sources: number;
}

export interface TraceTurn {
  /** Seconds from the last request of the previous turn to the first request of this turn. */
  readonly pause_seconds: number;
  readonly prompt_tokens: number;
  readonly rounds: readonly TraceRound[];
  readonly answer_tokens: number;
  /** After this round, from 1, the process ends and another continues from the store. */
  readonly restart_after_round: number | null;
}

export interface Trace {
  readonly system_tokens: number;
  readonly tools_tokens: number;
  readonly turns: readonly TraceTurn[];
}

/** The content of a trace's turns: text of the recorded sizes. */
export interface TraceContent {
  readonly instructions: string;
  /** `pass` advances the clock while a call runs. */
  tools(pass: (seconds: number) => void): AnyTool[];
  prompt(turn: TraceTurn, index: number): string;
  /** The model's decisions in each request of a turn: its rounds, then the answer. */
  replies(turn: TraceTurn, index: number): MessageReply[];
}

/** Makes text of words without meaning. */
export function plainContent(trace: Trace): TraceContent {
  return {
    instructions: tokensOf("system", trace.system_tokens),
    tools: (pass) => traceTools(trace, pass),
    prompt: (turn, index) => tokensOf(`prompt ${index}`, turn.prompt_tokens),
    replies: repliesOf,
  };
}

/** Characters of a word with the blank after it: one token, when counting by length. */
const WORD = 5;

export const countTraceTokens = (text: string) => Math.ceil(text.length / WORD);

/** Text of this many tokens; another seed gives another text. */
export function tokensOf(seed: string, tokens: number): string {
  let state = 0;
  for (const character of seed) state = (Math.imul(state, 31) + character.charCodeAt(0)) >>> 0;
  const words: string[] = [];
  for (let nth = 0; nth < tokens; nth++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words.push(
      (state >>> 8)
        .toString(36)
        .padStart(WORD, "x")
        .slice(-(WORD - 1)),
    );
  }
  return words.join(" ");
}

function repliesOf(turn: TraceTurn, index: number): MessageReply[] {
  const rounds = turn.rounds.map((round, nth): MessageReply => {
    const place = `${index}.${nth}`;
    const input = { place, query: tokensOf(`call ${place}`, round.call_tokens) };
    return {
      text: tokensOf(`notes ${place}`, round.notes_tokens),
      calls: [{ name: "trace__look", input }],
      pieceSize: 4_000,
    };
  });
  return [...rounds, { text: tokensOf(`answer ${index}`, turn.answer_tokens), pieceSize: 4_000 }];
}

function traceTools(trace: Trace, pass: (seconds: number) => void): AnyTool[] {
  const TOOLS = 12;
  const description = (nth: number) => tokensOf(`tool ${nth}`, Math.floor(trace.tools_tokens / TOOLS));
  const idle = Array.from({ length: TOOLS - 1 }, (_, nth) =>
    defineTool({
      id: `trace.tool_${nth}`,
      description: description(nth),
      params: z.object({ query: z.string() }),
      run: async () => ({ ok: true, ret: {} }),
    }),
  );
  const look = defineTool({
    id: "trace.look",
    description: description(TOOLS),
    params: z.object({ place: z.string(), query: z.string() }),
    run: async ({ place }) => {
      const [turn = 0, nth = 0] = place.split(".").map(Number);
      const round = trace.turns[turn]?.rounds[nth];
      if (round === undefined)
        return { ok: false, error: { code: "no_round", message: `There is no round ${place}.` } };
      pass(round.seconds);
      return (scribe) => {
        scribe.mergeSources(sourcesOf(place, round));
        for (const [part, tokens] of round.result_tokens.entries())
          scribe.result(tokensOf(`result ${place}.${part}`, tokens), "text/plain");
      };
    },
  });
  return [...idle, look];
}

function sourcesOf(place: string, { new_sources }: TraceRound): SourceInput[] {
  return Array.from({ length: new_sources }, (_, nth) => ({
    source_type: "web",
    url: `https://site.org/${place}/${nth}`,
    title: tokensOf(`title ${place}.${nth}`, 8),
    text: tokensOf(`source ${place}.${nth}`, 120),
  }));
}
