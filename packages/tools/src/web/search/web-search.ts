/**
 * `web_tools.web_search`: pages for one or several queries, each page once, as rows of the pool.
 *
 * The tool writes to the timeline: a digest whose artifact is the rows' place in the pool, then the rows with their
 * SIDs, best first. Queries run in parallel; a failed query is reported in a notice, or in an error if all failed. A
 * row that was found before keeps its SID.
 */
import { defineTool, type Settlement, type Tool, type ToolContext } from "@cairn/agent";
import { CairnError, formatSelector, type Json, type SourceInput } from "@cairn/timeline";
import { z } from "zod";
import { mergeHits, type RankedHit } from "./merge-hits.ts";
import { FRESHNESS, type SearchAnswer, type SearchProvider } from "./search-provider.ts";

const params = z.object({
  queries: z
    .array(z.string().trim().min(1).max(400))
    .min(1)
    .max(8)
    .describe("What to search for; several wordings of one question find more than one."),
  objective: z.string().max(1_000).optional().describe("What the pages are wanted for: those that fit come first."),
  n: z.number().int().min(1).max(30).default(8).describe("Pages wanted in all."),
  freshness: z.enum(FRESHNESS).optional().describe("Only pages that are no older."),
});

type SearchParams = z.output<typeof params>;

const MAX_SHOWN_LENGTH = 1_200;

export function createSearchTool(provider: SearchProvider): Tool<SearchParams> {
  return defineTool({
    id: "web_tools.web_search",
    description:
      "Search for pages. Gives titles, addresses and extracts, each with a source number to cite as [[S:n]]. " +
      "Fetch a page with web_tools.web_fetch to read all of it.",
    params,
    builtin: true,
    traits: {
      bulky: true,
      rows: true,
      label: { icon: "web", done: "Searched for", doing: "Search for", shows: { params: ["queries"], as: "quote" } },
    },
    idempotent: true,
    run: (given, context) => search(given, provider, context),
  });
}

async function search(given: SearchParams, provider: SearchProvider, context: ToolContext): Promise<Settlement> {
  const { queries, objective, n, freshness } = given;
  const distinct = [...new Set(queries)];
  const outcomes = await Promise.allSettled(
    distinct.map((query) => provider.search({ query, n, freshness }, { signal: context.signal })),
  );
  context.signal.throwIfAborted();
  const answers = outcomes.flatMap((outcome): SearchAnswer[] =>
    outcome.status === "fulfilled" ? [outcome.value] : [],
  );
  const failed = outcomes.flatMap((outcome, at) =>
    outcome.status === "rejected" ? [{ query: distinct[at] ?? "", error: asError(outcome.reason) }] : [],
  );
  if (answers.length === 0)
    throw failed[0]?.error ?? new CairnError("search_failed", "No query was sent to the search provider.");
  const hits = mergeHits(
    answers.map(({ hits }) => hits),
    objective,
    n,
  );
  const warnings = [...new Set(answers.flatMap(({ warnings }) => warnings))];
  return (scribe) => {
    for (const { query, error } of failed)
      scribe.notice("tool_call_warning.search_failed", error.message, { query, code: error.code });
    for (const warning of warnings) scribe.notice("tool_call_warning.search", warning);
    if (hits.length === 0) {
      scribe.result("[]", "application/json");
      return;
    }
    const sids = scribe.mergeSources(hits.map((hit, at) => rowOf(hit, at + 1, provider.name)));
    const path = `so:sources_pool[${formatSelector(sids)}]`;
    scribe.digest({ artifact_path: path, mime: "application/json", kind: "file", visibility: "internal" });
    const rows = hits.map((hit, at) => shownRow(hit, sids[at] ?? 0));
    scribe.content(path, { mime: "application/json", text: JSON.stringify(rows) });
  };
}

function rowOf(hit: RankedHit, rank: number, provider: string): SourceInput {
  const { url, title, text, content, author, published } = hit;
  const domain = URL.parse(url)?.hostname;
  return {
    source_type: "web",
    url,
    ...(title === "" ? {} : { title }),
    ...(text === "" ? {} : { text }),
    ...(content === undefined ? {} : { content }),
    domain: domain === undefined || domain === "" ? provider : domain,
    ...(author === undefined ? {} : { author }),
    ...(published === undefined ? {} : { published_time_iso: published }),
    provider,
    provider_rank: hit.provider_rank,
    weighted_rank: rank,
  };
}

function shownRow({ url, title, text, published }: RankedHit, sid: number): Record<string, Json> {
  const isLong = text.length > MAX_SHOWN_LENGTH;
  return {
    sid,
    title,
    url,
    text: isLong ? `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : text,
    ...(published === undefined ? {} : { published_time_iso: published }),
  };
}

function asError(reason: unknown): CairnError {
  if (CairnError.is(reason)) return reason;
  return new CairnError("search_failed", reason instanceof Error ? reason.message : "The search failed.");
}
