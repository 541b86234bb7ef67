/** A conversation as Markdown: questions, answers with their citations as links, and the names of files. */
import { type ConversationView, knownLookup, replaceCitations, type TurnView } from "@cairn/timeline";
import { closeFence } from "../text/fences.ts";

export function conversationMarkdown({ title, turns, sources }: ConversationView): string {
  const bySid = new Map(sources.map((row) => [row.sid, row]));
  const parts = turns.flatMap((turn) => [`## ${turn.n}. Question`, quoted(turn), `### Answer`, answerOf(turn)]);
  return `${[`# ${title === null || title === "" ? "Untitled" : title}`, ...parts].join("\n\n")}\n`;

  function answerOf({ completion, files, exit }: TurnView): string {
    const known = completion?.sources_known ?? 0;
    const lookup = knownLookup((sid) => bySid.get(sid), known);
    const text = completion === null ? `*No answer${exit === null ? " yet" : ""}.*` : completion.text;
    const said = closeFence(replaceCitations(text, lookup, "markdown"));
    const made = files.map(({ name }) => `- ${name}`);
    return made.length === 0 ? said : `${said}\n\nFiles:\n\n${made.join("\n")}`;
  }
}

/** Writes a question as a quotation, so that its headings and lists do not belong to the document. */
function quoted({ prompt, attachments }: TurnView): string {
  const names = attachments.map(({ name }) => `[${name}]`).join(" ");
  const text = [prompt.text, names].filter((part) => part !== "").join("\n\n");
  return text.replace(/\r\n?/g, "\n").replace(/^/gm, "> ");
}
