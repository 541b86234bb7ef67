/** A conversation as Markdown: questions, answers with their citations as links, and files with the pictures among them. */
import { type ConversationView, type FileView, knownSources, replaceCitations, type TurnView } from "@cairn/timeline";
import { closeFence } from "../text/fences.ts";

/** The address of the picture at a logical path; null if there is none. */
export type PictureSource = (path: string) => string | null;

/** The parts of the text, each complete in itself. */
export function conversationMarkdown(
  { title, turns, sources }: ConversationView,
  pictureSource: PictureSource = () => null,
): readonly string[] {
  const bySid = new Map(sources.map((row) => [row.sid, row]));
  const parts = turns.flatMap((turn) => [`## ${turn.n}. Question`, quoted(turn), "### Answer", ...answerOf(turn)]);
  return [`# ${title === null || title === "" ? "Untitled" : title}`, ...parts];

  function answerOf({ completion, files, exit }: TurnView): readonly string[] {
    const known = completion?.sources_known ?? 0;
    const lookup = knownSources((sid) => bySid.get(sid), known);
    const text = completion === null ? `*No answer${exit === null ? " yet" : ""}.*` : completion.text;
    const said = closeFence(replaceCitations(withNames(withPictures(text)), lookup, "markdown"));
    if (files.length === 0) return [said];
    const names = files.map(({ name }) => `- ${codeSpan(name)}`).join("\n");
    return [said, "Files:", names, ...picturesOf(files)];
  }

  /** Writes a question as a quotation, so that its headings and lists do not belong to the document. */
  function quoted({ prompt, attachments }: TurnView): string {
    const names = attachments.map(({ name }) => codeSpan(name)).join(", ");
    const said = [prompt.text, names === "" ? "" : `Attached: ${names}`, ...picturesOf(attachments)];
    const text = said.filter((part) => part !== "").join("\n\n");
    return text.replace(/\r\n?/g, "\n").replace(/^/gm, "> ");
  }

  function picturesOf(files: readonly FileView[]): readonly string[] {
    return files.flatMap(({ name, path }) => {
      const source = pictureSource(path);
      return source === null ? [] : [`![${name.replace(/[\\[\]]/g, "\\$&")}](<${source}>)`];
    });
  }

  /** Pictures that an answer shows by the path of a file. */
  function withPictures(text: string): string {
    return text.replace(/(!\[[^\]\n]*\]\()<?(fi:[^\s<>)]+)>?\)/g, (whole, begin: string, path: string) => {
      const source = pictureSource(path);
      return source === null ? whole : `${begin}<${source}>)`;
    });
  }
}

/** Paths of files mean nothing outside the app, so their names replace them. */
function withNames(text: string): string {
  return text.replace(/`fi:[^`\s]*\/([^`/\n]+)`/g, "`$1`");
}

/** A name as code, so that no character of it is markup. */
function codeSpan(name: string): string {
  return name.includes("`") ? `\`\` ${name} \`\`` : `\`${name}\``;
}
