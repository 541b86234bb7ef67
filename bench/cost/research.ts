/**
 * A trace's turns as a research agent would have made them: rounds that found sources are searches, other rounds are
 * fetches with one result block for each page. Answers cite one source. Deterministic.
 */
import { type AnyTool, defineTool, reactTools } from "@cairn/agent";
import type { Trace, TraceContent, TraceRound, TraceTurn } from "@cairn/testkit/turns";
import type { SourceInput } from "@cairn/timeline";
import { z } from "zod";
import { words } from "./words.ts";

const TOOLS = 12;
/** Tokens of a tool's name and schema in addition to its description. */
const TOOL_FRAME = 45;
/** Tokens of headers, paths and JSON around a text, which count as part of the size the trace gives. */
const RESULT_FRAME = 55;
const CALL_FRAME = 60;
/** Tokens of a row of search results around its text. */
const ROW_FRAME = 35;
/** Seconds that reading a block back takes. */
const READ_SECONDS = 5;

interface PlannedRound {
  readonly round: TraceRound;
  readonly seed: number;
}

export class Research implements TraceContent {
  readonly instructions: string;
  readonly #trace: Trace;
  /** Rounds that were decided on and have not run yet. */
  readonly #planned: PlannedRound[] = [];
  #sources = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
    this.instructions = words(7, trace.system_tokens);
  }

  prompt({ prompt_tokens }: TraceTurn, index: number): string {
    return words(index, prompt_tokens);
  }

  replies(turn: TraceTurn, index: number) {
    const found = turn.rounds.some(({ new_sources }) => new_sources > 0) ? this.#sources + 1 : null;
    const rounds = turn.rounds.map((round, nth) => {
      const seed = index * 1_000 + nth * 40;
      this.#planned.push({ round, seed });
      this.#sources += round.new_sources;
      const asked = words(seed + 1, Math.max(4, round.call_tokens - CALL_FRAME));
      const call =
        round.new_sources === 0
          ? { name: "web_tools__web_fetch", input: { urls: [asked] } }
          : { name: "web_tools__web_search", input: { queries: [asked], n: round.new_sources } };
      return { text: words(seed, round.notes_tokens), calls: [call], pieceSize: PIECE };
    });
    const answer = words(index + 500, turn.answer_tokens);
    return [...rounds, { text: found === null ? answer : `${answer} [[S:${found}]]`, pieceSize: PIECE }];
  }

  tools(pass: (seconds: number) => void): AnyTool[] {
    const take = (): PlannedRound => {
      const planned = this.#planned.shift();
      if (planned === undefined) throw new Error("A round ran that was not decided on.");
      pass(planned.round.seconds);
      return planned;
    };
    const description = (nth: number) =>
      words(nth, Math.max(1, Math.floor(this.#trace.tools_tokens / TOOLS) - TOOL_FRAME));
    const idle = Array.from({ length: TOOLS - 3 }, (_, nth) =>
      defineTool({
        id: `research.tool_${nth}`,
        description: description(nth),
        params: z.object({ query: z.string(), limit: z.number().int().optional() }),
        run: async () => ({ ok: true, ret: {} }),
      }),
    );
    const search = defineTool({
      id: "web_tools.web_search",
      description: description(TOOLS),
      params: z.object({ queries: z.array(z.string()), n: z.number() }),
      builtin: true,
      run: async () => {
        const { round, seed } = take();
        const [first = 0, ...rest] = round.result_tokens;
        return (scribe) => {
          const sids = scribe.mergeSources(sourcesOf(seed, round));
          const path = `so:sources_pool[${sids.length === 1 ? sids[0] : `${sids[0]}-${sids.at(-1)}`}]`;
          scribe.digest({ artifact_path: path, mime: "application/json", kind: "file", visibility: "internal" });
          scribe.content(path, { mime: "application/json", text: foundRows(seed, sids, first) });
          for (const [nth, tokens] of rest.entries()) scribe.result(fetchedPage(seed, nth + 1, tokens), JSON_TYPE);
        };
      },
    });
    const fetch = defineTool({
      id: "web_tools.web_fetch",
      description: description(TOOLS + 1),
      params: z.object({ urls: z.array(z.string()) }),
      builtin: true,
      run: async () => {
        const { round, seed } = take();
        return (scribe) => {
          for (const [nth, tokens] of round.result_tokens.entries())
            scribe.result(fetchedPage(seed, nth, tokens), JSON_TYPE);
        };
      },
    });
    return [...idle, search, fetch, slowRead(pass)];
  }
}

const PIECE = 4_000;
const JSON_TYPE = "application/json";

/** The product's own `react.read`, with some simulated time added. */
function slowRead(pass: (seconds: number) => void): AnyTool {
  const read = reactTools().find(({ id }) => id === "react.read");
  if (read === undefined) throw new Error("There is no react.read.");
  return {
    ...read,
    run: (params, context) => {
      pass(READ_SECONDS);
      return read.run(params, context);
    },
  };
}

function sourcesOf(seed: number, { new_sources }: TraceRound): SourceInput[] {
  return Array.from({ length: new_sources }, (_, nth) => ({
    source_type: "web",
    url: `https://${words(seed + nth, 1)}.com/${seed}/${nth}`,
    domain: `${words(seed + nth, 1)}.com`,
    // About 40 characters, the usual length of page titles.
    title: words(seed + nth + 5, 8),
    text: words(seed + nth, 120),
  }));
}

function foundRows(seed: number, sids: readonly number[], tokens: number): string {
  const each = Math.max(10, Math.floor((tokens - 2 * RESULT_FRAME) / sids.length) - ROW_FRAME);
  const rows = sids.map((sid, nth) => ({
    sid,
    url: `https://${words(seed + nth, 1)}.com/${seed}/${nth}`,
    title: words(seed + nth + 5, 8),
    text: words(seed + 7 * nth, each),
  }));
  return JSON.stringify(rows);
}

function fetchedPage(seed: number, nth: number, tokens: number): string {
  const url = `https://site.org/${seed}/${nth}`;
  const page = { title: words(seed + nth, 6), content: words(seed + 31 * nth, Math.max(10, tokens - RESULT_FRAME)) };
  return JSON.stringify({ [url]: page });
}
