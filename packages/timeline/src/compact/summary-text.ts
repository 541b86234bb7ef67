/**
 * The text of a summary: the digest first, then the prose, together within a cap.
 *
 * What must stay in view comes first: pages, instructions, open plans, the agent's notes. The rest is filled in from
 * the newest to the oldest until the cap is reached. What is left out of the text stays in the block's own digest,
 * read back in full by the summary's path, as long as it is of the range just covered; what came with an earlier
 * summary is dropped and found behind its page. Pages themselves may take a quarter of the cap: of more, the newest
 * are kept, each of which lists the ones before it.
 */
import { isJsonObject } from "../json.ts";
import { formatSelector } from "../path/selector.ts";
import { renderPlan } from "../plan/plan.ts";
import type { CountTokens } from "../ports.ts";
import type { CompactionDigest } from "./digest.ts";

const SECTIONS = [
  ["pages", "Earlier summaries"],
  ["directives", "User directives"],
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

const ESSENTIAL: ReadonlySet<Section> = new Set<Section>(["pages", "directives", "open_plans", "notes"]);
const PAGES_SHARE = 0.25;

/** The whole digest, as it is read back by the summary's path. */
export function renderDigest(digest: CompactionDigest): string {
  return layOut(digestLines(digest));
}

export interface FittedDigest {
  readonly text: string;
  /** The digest to store: without what neither fits nor belongs to the range just covered. */
  readonly digest: CompactionDigest;
  readonly complete: boolean;
}

/** `own` is the digest of the range just covered, `all` that of everything. */
export function fitDigest(
  all: CompactionDigest,
  own: Omit<CompactionDigest, "pages">,
  cap: number,
  countTokens: CountTokens,
): FittedDigest {
  const pages = fitPages(all, cap, countTokens);
  const lines = digestLines({ ...all, pages });
  const ownKeys = new Set(digestLines({ ...own, pages: [] }).map((line) => line.key));
  const ranked = rank(lines, ownKeys);
  const shown = new Set<Line>();
  const sections = new Set<Section>();
  let tokens = 0;
  for (const line of ranked) {
    const heading = sections.has(line.section) ? 0 : countTokens(`${titleOf(line.section)}:\n`);
    const cost = heading + countTokens(`${line.text}\n`);
    if (tokens + cost > cap) continue;
    tokens += cost;
    sections.add(line.section);
    shown.add(line);
  }
  const kept = lines.filter((line) => shown.has(line) || ownKeys.has(line.key));
  return {
    text: layOut(lines.filter((line) => shown.has(line))),
    digest: pick({ ...all, pages }, kept),
    complete: shown.size === lines.length,
  };
}

interface Line {
  readonly section: Section;
  /** Index of the item in its section. */
  readonly index: number;
  /** What the item is about; the same item in two digests has the same key, even if they say different things of it. */
  readonly key: string;
  readonly text: string;
}

function digestLines(digest: CompactionDigest): Line[] {
  return SECTIONS.flatMap(([section]) =>
    itemTexts(digest, section).map((text, index) => ({
      section,
      index,
      key: `${section} ${itemKey(digest, section, index)}`,
      text,
    })),
  );
}

function itemKey(digest: CompactionDigest, section: Section, index: number): string {
  const item: unknown = digest[section][index];
  if (!isJsonObject(item)) return String(item);
  const key = item.turn_id ?? item.plan_id ?? (section === "directives" || section === "notes" ? item.text : item.path);
  return String(key);
}

function itemTexts(digest: CompactionDigest, section: Section): string[] {
  switch (section) {
    case "pages":
      return digest.pages.map((page) => `- ${page.path}: ${page.turns} turns, ${page.first_turn} to ${page.last_turn}`);
    case "directives":
      return digest.directives.map(({ path, text }) => `- ${path === "" ? "" : `[${path}] `}${text}`);
    case "open_plans":
      return digest.open_plans.map((plan) => renderPlan(plan));
    case "notes":
      return digest.notes.map(({ text }) => `- ${text}`);
    case "turns":
      return digest.turns.map((turn) => {
        const paths = [...turn.prompts, ...(turn.completion === null ? [] : [turn.completion])];
        return `- ${paths.join(", ")}${turn.about === "" ? "" : `: ${turn.about}`}`;
      });
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

/** What must stay first, then the newest of the covered range, then the newest of what was covered before. */
function rank(lines: readonly Line[], own: ReadonlySet<string>): Line[] {
  const essential = lines.filter((line) => ESSENTIAL.has(line.section));
  const rest = lines.filter((line) => !ESSENTIAL.has(line.section)).reverse();
  const mine = rest.filter((line) => own.has(line.key));
  const inherited = rest.filter((line) => !own.has(line.key));
  return [...essential, ...mine, ...inherited];
}

function fitPages({ pages }: CompactionDigest, cap: number, countTokens: CountTokens): CompactionDigest["pages"] {
  let room = cap * PAGES_SHARE;
  let first = pages.length;
  while (first > 0) {
    const page = pages[first - 1];
    if (page === undefined) break;
    room -= countTokens(`- ${page.path}: ${page.turns} turns, ${page.first_turn} to ${page.last_turn}\n`);
    // The newest page always stays: it leads to all the others.
    if (room < 0 && first < pages.length) break;
    first--;
  }
  return pages.slice(first);
}

function pick(digest: CompactionDigest, lines: readonly Line[]): CompactionDigest {
  const kept = new Map<Section, Set<number>>();
  for (const { section, index } of lines) {
    const indices = kept.get(section) ?? new Set();
    kept.set(section, indices.add(index));
  }
  const entries = SECTIONS.map(([section]) => {
    const items: readonly unknown[] = digest[section];
    return [section, section === "cited_sids" ? items : items.filter((_, index) => kept.get(section)?.has(index))];
  });
  return Object.fromEntries(entries) as unknown as CompactionDigest;
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
