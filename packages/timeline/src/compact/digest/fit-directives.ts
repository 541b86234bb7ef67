/** Fits the directives of a summary into their share: word for word, newest first, and paths for the rest. */
import type { CountTokens } from "../../base/ports.ts";
import { type Directive, rankDirectives } from "../../directive/directives.ts";

export const DIRECTIVES_TITLE = "User directives";

export interface FittedText {
  readonly text: string;
  /** Whether the text contains all directives. */
  readonly complete: boolean;
}

/** The part of the share that is reserved for paths of directives that do not fit. */
const LIST_SHARE = 0.2;

/** Tokens of all directives, counted as `fitDirectives` counts them. */
export function directivesTokens(directives: readonly Directive[], countTokens: CountTokens): number {
  if (directives.length === 0) return 0;
  return directives.reduce((sum, each) => sum + lineTokens(directiveLine(each), countTokens), titleTokens(countTokens));
}

/** If not all directives fit, they are shown without their paths. Reading the summary by its path lists the paths. */
export function fitDirectives(directives: readonly Directive[], room: number, countTokens: CountTokens): FittedText {
  if (directives.length === 0) return { text: "", complete: true };
  const all = directivesTokens(directives, countTokens);
  if (all <= room) return { text: layOut(directives.toReversed().map(directiveLine)), complete: true };
  const ranked = rankDirectives(directives);
  const list = room * LIST_SHARE;
  const shown = take(ranked, room - list - titleTokens(countTokens), countTokens);
  const used = [...shown].reduce(
    (sum, each) => sum + lineTokens(plainLine(each), countTokens),
    titleTokens(countTokens),
  );
  const left = ranked.filter((each) => !shown.has(each));
  const lines = directives
    .toReversed()
    .filter((each) => shown.has(each))
    .map(plainLine);
  const more = listPaths(left, room - used, countTokens);
  if (more !== "") lines.push(more);
  return { text: lines.length === 0 ? "" : layOut(lines), complete: false };
}

export function directiveLine({ path, text }: Directive): string {
  return `- ${path === "" ? "" : `[${path}] `}${text}`;
}

function plainLine({ text }: Directive): string {
  return `- ${text}`;
}

function layOut(lines: readonly string[]): string {
  return `${DIRECTIVES_TITLE}:\n${lines.join("\n")}`;
}

/** The first directives that fit. A directive that is too long does not exclude shorter ones after it. */
function take(ranked: readonly Directive[], room: number, countTokens: CountTokens): Set<Directive> {
  const taken = new Set<Directive>();
  let left = room;
  for (const each of ranked) {
    const cost = lineTokens(plainLine(each), countTokens);
    if (cost > left) continue;
    left -= cost;
    taken.add(each);
  }
  return taken;
}

/** One line with the paths of messages whose directives are left out, as many as fit. */
function listPaths(left: readonly Directive[], room: number, countTokens: CountTokens): string {
  const paths = [...new Set(left.map(({ path }) => path))].filter((path) => path !== "");
  const line = (count: number) => {
    const more = paths.length - count;
    const listed = [...paths.slice(0, count), ...(more === 0 ? [] : [`${more} other messages`])];
    return `- ${left.length} more in ${listed.join(", ")}`;
  };
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lineTokens(line(middle), countTokens) <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : line(low);
}

function lineTokens(line: string, countTokens: CountTokens): number {
  return countTokens(`${line}\n`);
}

function titleTokens(countTokens: CountTokens): number {
  return countTokens(`${DIRECTIVES_TITLE}:\n`);
}
