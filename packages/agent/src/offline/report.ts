/** A report made of quotations, one section per source, each line with its citation. */
import { findGist, findQuotes, type Quote } from "./find-quotes.ts";
import type { Passage } from "./passages.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { listNames, quoteList } from "./wording.ts";
import { wordsOf } from "./words.ts";

export interface Report {
  readonly fileName: string;
  readonly title: string;
  readonly content: string;
  readonly quotes: readonly Quote[];
}

const MAX_QUOTES = 16;
/** Minimum score of a quotation, lower than in an answer, because a report may contain weaker matches. */
const MIN_SCORE = 0.15;
/** Topics without content of their own: they refer to existing material, such as "these files". */
const POINTING =
  /^(?:it|this|that|these|those|them|the|my|all|attached|attachments?|files?|documents?|pdf|content|dies(?:e[nrs]?)?|das|de[nrm]|die|dateien|datei|dokumente?|anhang|ce(?:ci|la|s|tte)?|les?|la|fichiers?|\s)*$/i;

export function isPointing(topic: string): boolean {
  return POINTING.test(topic) || wordsOf(topic).length === 0;
}

/** Writes a report; null when nothing was found to report on. */
export function composeReport(topic: string, passages: readonly Passage[], phrases: Phrases): Report | null {
  const sources = passages.filter(({ kind }) => kind === "file" || kind === "web");
  const used = sources.length > 0 ? sources : passages;
  const points = isPointing(topic);
  const found = points ? [] : findQuotes(topic, used, MAX_QUOTES, { leastScore: MIN_SCORE, leastBeside: MIN_SCORE });
  const quotes = withoutTitles(found.length > 0 ? found : findGist(used, MAX_QUOTES));
  if (quotes.length === 0) return null;
  const title = points
    ? phrases.reportOn(
        listNames(
          quotes.map(({ passage }) => passage.name),
          phrases,
        ),
      )
    : titleOf(topic);
  const sections = [...Map.groupBy(quotes, ({ passage }) => passage.name)].map(
    ([name, group]) => `## ${oneLine(name)}\n\n${quoteList(group, phrases)}`,
  );
  const missed = !points && found.length === 0 ? `\n\n${phrases.topicMissing}` : "";
  const content = `# ${oneLine(title)}\n\n${phrases.onlyQuotations}${missed}\n\n${sections.join("\n\n")}\n`;
  return { fileName: `${slug(points ? "report" : topic)}.md`, title, content, quotes };
}

/** Leaves out quotations that repeat the title of their source, which a report shows above, unless none is left. */
function withoutTitles(quotes: readonly Quote[]): readonly Quote[] {
  const said = quotes.filter(({ text, passage }) => text.toLowerCase() !== passage.name.toLowerCase());
  return said.length > 0 ? said : quotes;
}

function titleOf(topic: string): string {
  const line = oneLine(topic);
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 120).toWellFormed();
}

function slug(topic: string): string {
  const plain = topic
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  return plain.replace(/^-+|-+$/g, "") || "report";
}
