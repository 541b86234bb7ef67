/** How the offline model quotes and lists. It never states anything that is not a quotation. */
import type { Quote } from "./find-quotes.ts";
import type { Phrases } from "./phrases/phrases.ts";

export function quoteList(quotes: readonly Quote[], phrases: Phrases): string {
  return quotes.map((quote) => `- ${quoteLine(quote, phrases)}${codeBelow(quote)}`).join("\n");
}

/** The code of a list item, indented so that it stays inside the item. */
function codeBelow({ code }: Quote): string {
  if (code === null) return "";
  const lines = code.split("\n");
  const indent = Math.min(...lines.filter((line) => line !== "").map((line) => line.search(/\S|$/)));
  return lines.map((line) => `\n${`  ${withoutTokens(line.slice(indent))}`.trimEnd()}`).join("");
}

export function quoteLine(quote: Quote, phrases: Phrases): string {
  const { passage } = quote;
  const quoted = rowWithLabels(quote) ?? `“${shownText(quote.text)}”`;
  const { part } = passage;
  if (passage.sid !== null) return `${quoted}${part === null ? "" : ` (${part})`} [[S:${passage.sid}]]`;
  switch (passage.kind) {
    case "note":
      return phrases.fromNotes(quoted);
    case "said":
      return phrases.youSaid(quoted);
    case "earlier":
      return phrases.saidEarlier(quoted);
    default:
      return `${quoted} (${passage.name}${part === null ? "" : `, ${part}`})`;
  }
}

const BAR = /\s*(?<!\\)\|\s*/;

/** A row of a table, each cell with the name of its column; null for any other text. */
function rowWithLabels({ head, text }: Quote): string | null {
  const labels = head?.split(BAR) ?? [];
  const cells = text.split(BAR);
  if (labels.length < 2 || labels.length !== cells.length) return null;
  return cells
    .flatMap((cell, nth) => (cell === "" ? [] : [`${shownText(labels[nth] ?? "")}: “${shownText(cell)}”`]))
    .join(" · ");
}

/** Links to other pages of the source lead nowhere in an answer. */
const INNER_LINK = /\[([^\]\n]*)\]\((?!https?:)[^)\s]*\)/g;

function shownText(text: string): string {
  return withoutTokens(text.replace(INNER_LINK, "$1"));
}

/** Text of a source or message may look like a citation token. It is changed, so that it does not count as one. */
export function withoutTokens(text: string): string {
  return text.replaceAll("［", "[").replace(/\[(?=\[)/g, "[ ");
}

export function listNames(names: readonly string[], { and }: Phrases): string {
  const unique = [...new Set(names)];
  if (unique.length <= 1) return unique[0] ?? "";
  return `${unique.slice(0, -1).join(", ")} ${and} ${unique.at(-1)}`;
}

export interface Unreadable {
  readonly name: string;
  /** The reasons as sentences; empty if the tool gave none. */
  readonly why: string;
}

export function cannotRead(files: readonly Unreadable[], phrases: Phrases): string {
  return files.map(({ name, why }) => phrases.cannotRead(name, why)).join("\n\n");
}
