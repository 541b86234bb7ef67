/**
 * A trace's turns as blocks, the way a research agent would have left them: rounds that found sources are searches,
 * the others fetched pages, one result block a page. Answers cite one source. Deterministic.
 */
import { make } from "@cairn/testkit/conversation";
import type { Block, SourceInput, WireTool } from "@cairn/timeline";
import type { RemovedBlock } from "./maintenance.ts";
import type { Trace, TraceRound } from "./trace.ts";
import { words } from "./words.ts";

const TOOLS = 12;
/** Tokens of headers, paths and JSON around a text, which count as part of the size the trace gives. */
const RESULT_FRAME = 55;
const CALL_FRAME = 60;
/** Tokens of a row of search results around its text. */
const ROW_FRAME = 35;

export function composeTools({ tools_tokens }: Trace): WireTool[] {
  const each = Math.max(1, Math.floor(tools_tokens / TOOLS) - 45);
  return Array.from({ length: TOOLS }, (_, nth) => ({
    name: `tool_${nth}`,
    description: words(nth, each),
    schema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
  }));
}

export function composeSystem({ system_tokens }: Trace): string {
  return words(7, system_tokens);
}

/** The sources a round finds, `first` being the SID the pool will give to the first of them. */
export function composeSources({ new_sources }: TraceRound, first: number): SourceInput[] {
  return Array.from({ length: new_sources }, (_, nth) => {
    const sid = first + nth;
    return { source_type: "web", url: urlOf(sid), domain: domainOf(sid), title: titleOf(sid), text: words(sid, 120) };
  });
}

export function composeRound(at: make.CallContext, round: TraceRound, seed: number, sids: readonly number[]): Block[] {
  const blocks = [make.notes(at, words(seed, round.notes_tokens))];
  const asked = words(seed + 1, Math.max(4, round.call_tokens - CALL_FRAME));
  if (sids.length === 0) blocks.push(make.call(at, "web_tools.web_fetch", { urls: [asked] }));
  else blocks.push(make.call(at, "web_tools.web_search", { queries: [asked], n: sids.length }));
  for (const [nth, tokens] of round.result_tokens.entries())
    blocks.push(...(nth === 0 && sids.length > 0 ? foundRows(at, tokens, sids) : [fetchedPage(at, tokens, seed, nth)]));
  return blocks;
}

function foundRows(at: make.CallContext, tokens: number, sids: readonly number[]): Block[] {
  const path = `so:sources_pool[${sids[0]}-${sids.at(-1)}]`;
  const each = Math.max(10, Math.floor((tokens - 2 * RESULT_FRAME) / sids.length) - ROW_FRAME);
  const rows = sids.map((sid) => ({ sid, url: urlOf(sid), title: titleOf(sid), text: words(sid, each) }));
  return [
    make.digest(at, { artifact_path: path, mime: "application/json", kind: "file", visibility: "internal" }),
    make.blockOf(at, "react.tool.result", path, { mime: "application/json", text: JSON.stringify(rows) }),
  ];
}

function fetchedPage(at: make.CallContext, tokens: number, seed: number, nth: number): Block {
  const url = `https://site.org/${seed}/${nth}`;
  const page = { title: words(seed + nth, 6), content: words(seed + 31 * nth, Math.max(10, tokens - RESULT_FRAME)) };
  return make.result(at, JSON.stringify({ [url]: page }));
}

/** `react.read`: what was found, then each content at its own path. */
export function composeReread(at: make.CallContext, removed: readonly RemovedBlock[]): Block[] {
  const paths = removed.map(({ path }) => path);
  return [
    make.notes(at, words(3, 12)),
    make.call(at, "react.read", { paths }),
    make.result(at, JSON.stringify({ read: paths.length, missing: [] })),
    ...removed.map(({ path, text }) => make.blockOf(at, "react.tool.result", path, { mime: "application/json", text })),
  ];
}

export function composeAnswer(turn: string, tokens: number, seed: number, sid: number | null): Block {
  const text = words(seed, tokens);
  return sid === null ? make.completion(turn, text) : make.completion(turn, `${text} [[S:${sid}]]`, [sid]);
}

function urlOf(sid: number): string {
  return `https://${domainOf(sid)}/${sid}`;
}

function domainOf(sid: number): string {
  return `${words(sid, 1)}.com`;
}

/** Eight words: about 40 characters, what titles of pages have. */
function titleOf(sid: number): string {
  return words(sid + 5, 8);
}
