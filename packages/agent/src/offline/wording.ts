/** How the offline model quotes and lists. It never states anything that is not a quotation. */
import type { Quote } from "./find-quotes.ts";
import type { Phrases } from "./phrases/phrases.ts";

export function quoteList(quotes: readonly Quote[], phrases: Phrases): string {
  return quotes.map((quote) => `- ${quoteLine(quote, phrases)}`).join("\n");
}

export function quoteLine({ text, passage }: Quote, phrases: Phrases): string {
  const quoted = `“${withoutTokens(text)}”`;
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
