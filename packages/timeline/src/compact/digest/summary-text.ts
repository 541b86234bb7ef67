/**
 * The text of a compaction's digest, which a summary lists: all of it, or as many of its paths as fit.
 *
 * Earlier summaries, open plans and the agent's notes come first. The rest is added from the newest to the oldest until
 * the limit is reached. Paths left out of the text stay in the digest of the summary block, which the summary's path
 * returns in full. Pages may take a quarter of the limit; if there are more, the newest are listed, each of which lists
 * the ones before it. Directives have a share of their own (`fit-directives.ts`).
 */
import type { CountTokens } from "../../base/ports.ts";
import { formatSelector } from "../../path/selector.ts";
import { renderPlan } from "../../plan/plan.ts";
import type { CompactionDigest, Page } from "./digest.ts";
import { DIRECTIVES_TITLE, directiveLine, type FittedText } from "./fit-directives.ts";

const SECTIONS = [
  ["directives", DIRECTIVES_TITLE],
  ["pages", "Earlier summaries"],
  ["open_plans", "Open plans"],
  ["notes", "Notes"],
  ["turns", "Turns"],
  ["artifacts", "Artifacts"],
  ["files", "Files written"],
  ["exec_outputs", "Program outputs"],
  ["searches", "Searches"],
  ["results", "Results"],
  ["hidden", "Hidden"],
  ["cited_sids", "Cited sources"],
] as const satisfies readonly (readonly [keyof CompactionDigest, string])[];

type Section = (typeof SECTIONS)[number][0];

/** Sections that come first: earlier summaries lead to everything else; plans and notes are the current work. */
const ESSENTIAL: ReadonlySet<Section> = new Set<Section>(["pages", "open_plans", "notes"]);
const PAGES_SHARE = 0.25;
/** Number of characters that identify a closed order. */
const CLOSED_CHARS = 24;
/** The maximum share for notes, so that they never displace every path. */
const NOTES_SHARE = 0.5;

/** The whole digest, as reading the summary's path returns it. */
export function renderDigest(digest: CompactionDigest): string {
  return layOut(digestLines(digest));
}

/** Lists as many of the paths as fit into `room` tokens. `previous` is the path of the previous summary. */
export function fitPaths(
  digest: CompactionDigest,
  previous: string | null,
  room: number,
  countTokens: CountTokens,
): FittedText {
  const pages = newestPages(digest.pages, room * PAGES_SHARE, countTokens);
  const lines = pathLines({ ...digest, pages }, previous);
  const shown = new Set<Line>();
  const sections = new Set<Section>();
  let tokens = 0;
  let notes = 0;
  for (const line of rank(lines)) {
    const heading = sections.has(line.section) ? 0 : countTokens(`${titleOf(line.section)}:\n`);
    const cost = heading + countTokens(`${line.text}\n`);
    if (tokens + cost > room || (line.section === "notes" && notes + cost > room * NOTES_SHARE)) continue;
    tokens += cost;
    if (line.section === "notes") notes += cost;
    sections.add(line.section);
    shown.add(line);
  }
  const complete = shown.size === lines.length && pages.length === digest.pages.length;
  return { text: layOut(lines.filter((line) => shown.has(line))), complete };
}

/** Tokens of all paths, counted as `fitPaths` counts them. */
export function pathsTokens(digest: CompactionDigest, previous: string | null, countTokens: CountTokens): number {
  const lines = pathLines(digest, previous);
  const sections = new Set(lines.map((line) => line.section));
  const headings = [...sections].reduce((sum, section) => sum + countTokens(`${titleOf(section)}:\n`), 0);
  return lines.reduce((sum, line) => sum + countTokens(`${line.text}\n`), headings);
}

interface Line {
  readonly section: Section;
  readonly text: string;
}

function pathLines(digest: CompactionDigest, previous: string | null): Line[] {
  const lines = digestLines({ ...digest, directives: [] });
  if (previous !== null && !digest.pages.some((page) => page.path === previous))
    lines.push({ section: "pages", text: `- ${previous}: the one before this` });
  return lines;
}

function digestLines(digest: CompactionDigest): Line[] {
  return SECTIONS.flatMap(([section]) => itemTexts(digest, section).map((text) => ({ section, text })));
}

function itemTexts(digest: CompactionDigest, section: Section): string[] {
  switch (section) {
    case "pages":
      return digest.pages.map(pageText);
    case "directives":
      return digest.directives.toReversed().map(directiveLine);
    case "open_plans":
      return digest.open_plans.map((plan) => renderPlan(plan));
    case "notes":
      return digest.notes.map(({ text }) => `- ${text}`);
    case "turns": {
      // The text of orders that no longer apply is not shown in this list.
      const closed = digest.closed_orders.map(({ text }) => text.slice(0, CLOSED_CHARS));
      return digest.turns.map((turn) => {
        const paths = [...turn.prompts, ...(turn.completion === null ? [] : [turn.completion])];
        const isShown = turn.about !== "" && !closed.some((words) => turn.about.includes(words));
        return `- ${paths.join(", ")}${isShown ? `: ${turn.about}` : ""}`;
      });
    }
    case "artifacts":
      return digest.artifacts.map(({ path, version, mime, visibility, sources_used }) => {
        const sources = sources_used.length === 0 ? null : `sources [${sources_used.join(",")}]`;
        return `- ${[path, version > 1 ? `v${version}` : null, mime, visibility, sources].filter(Boolean).join(" | ")}`;
      });
    case "files":
    case "exec_outputs":
      return digest[section].map((path) => `- ${path}`);
    case "searches":
      return digest.searches.map(
        ({ path, queries, sources }) =>
          `- ${path}${sources === null ? "" : `, ${sources}`}: ${queries.map((query) => JSON.stringify(query)).join(", ")}`,
      );
    case "results":
      return digest.results.map(({ path, tool }) => `- ${path}${tool === null ? "" : ` ${tool}`}`);
    case "hidden":
      return digest.hidden.map(({ path, replacement }) => `- ${path}: ${replacement}`);
    case "cited_sids":
      return digest.cited_sids.length === 0 ? [] : [`so:sources_pool[${formatSelector(digest.cited_sids)}]`];
  }
}

/** Essential lines first, with the newest notes; then one line of each section in turn, newest first. */
function rank(lines: readonly Line[]): Line[] {
  const essential = lines.filter((line) => ESSENTIAL.has(line.section) && line.section !== "notes");
  const notes = lines.filter((line) => line.section === "notes").reverse();
  const rest = lines.filter((line) => !ESSENTIAL.has(line.section));
  const age = new Map<Line, number>();
  const counts = new Map<Section, number>();
  for (const line of rest.toReversed()) {
    const nth = counts.get(line.section) ?? 0;
    counts.set(line.section, nth + 1);
    age.set(line, nth);
  }
  return [...essential, ...notes, ...rest.sort((a, b) => (age.get(a) ?? 0) - (age.get(b) ?? 0))];
}

function newestPages(pages: readonly Page[], most: number, countTokens: CountTokens): readonly Page[] {
  let room = most;
  let first = pages.length;
  while (first > 0) {
    const page = pages[first - 1];
    if (page === undefined) break;
    room -= countTokens(`${pageText(page)}\n`);
    // The newest page is always listed, because it leads to all other pages.
    if (room < 0 && first < pages.length) break;
    first--;
  }
  return pages.slice(first);
}

function pageText(page: Page): string {
  return `- ${page.path}: ${page.turns} turns, ${page.first_turn} to ${page.last_turn}`;
}

function layOut(lines: readonly Line[]): string {
  const parts: string[] = [];
  for (const [section, title] of SECTIONS) {
    const texts = lines.filter((line) => line.section === section).map((line) => line.text);
    if (texts.length > 0) parts.push(`${title}:\n${texts.join("\n")}`);
  }
  return parts.join("\n");
}

function titleOf(section: Section): string {
  return SECTIONS.find(([each]) => each === section)?.[1] ?? section;
}
