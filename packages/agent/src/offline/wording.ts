/** How the offline model describes itself and quotes. It never states anything that is not a quotation. */
import type { Quote } from "./find-quotes.ts";

/** What the model is and can do with its tools. */
export function whatIAm(tools: ReadonlySet<string>): string {
  const can = [
    "read your attachments, files and notes",
    ...(tools.has("web_tools.web_search") ? ["search for sources"] : []),
    "quote the sentences that fit your question with their sources",
    "remember what you ask me to",
    `put reports together from quotations${tools.has("rendering_tools.write_pdf") ? ", as PDF, Word document, slides or picture if you like" : ""}`,
    ...(tools.has("exec_tools.execute_code_python") ? ["run the programs you paste"] : []),
  ];
  return `I am Cairn's offline model: no language model, no network. I ${can.slice(0, -1).join("; ")}; and ${can.at(-1)}. Set CAIRN_MODEL to talk to a language model.`;
}

export const IN_SHORT = "_I am Cairn's offline model: I quote what I find and add nothing of my own._";

export function quoteList(quotes: readonly Quote[]): string {
  return quotes.map((quote) => `- ${quoteLine(quote)}`).join("\n");
}

export function quoteLine({ text, passage }: Quote): string {
  // Text of a source that looks like a citation token is not one.
  const quoted = `“${text.replaceAll("［", "[").replace(/\[(?=\[)/g, "[ ")}”`;
  const { part } = passage;
  if (passage.sid !== null) return `${quoted}${part === null ? "" : ` (${part})`} [[S:${passage.sid}]]`;
  switch (passage.kind) {
    case "note":
      return `From my notes: ${quoted}`;
    case "said":
      return `You said: ${quoted}`;
    default:
      return `${quoted} (${passage.name}${part === null ? "" : `, ${part}`})`;
  }
}

export function listNames(names: readonly string[]): string {
  const unique = [...new Set(names)];
  if (unique.length <= 1) return unique[0] ?? "";
  return `${unique.slice(0, -1).join(", ")} and ${unique.at(-1)}`;
}

export interface Unreadable {
  readonly name: string;
  /** In sentences; empty if nothing was said. */
  readonly why: string;
}

export function cannotRead(files: readonly Unreadable[]): string {
  return files.map(({ name, why }) => `I cannot read ${name}${why === "" ? "." : `: ${why}`}`).join("\n\n");
}
