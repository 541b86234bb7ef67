/** A conversation as Markdown: questions, answers with their citations as links and their sources, and files. */
import { type ConversationView, type FileView, replaceCitations, type TurnView } from "@cairn/timeline";
import { closeFence } from "../text/fences.ts";
import { type SourcePlaces, sourceList } from "./source-list.ts";

export interface ExportParts extends SourcePlaces {
  /** The address of the picture at a logical path; null if there is none. */
  readonly pictureSource: (path: string) => string | null;
}

/** The parts of the text. Each part is complete Markdown. */
export function conversationMarkdown(
  { title, turns, sources }: ConversationView,
  { pictureSource, ...places }: ExportParts,
): readonly string[] {
  const bySid = new Map(sources.map((row) => [row.sid, row]));
  const parts = turns.flatMap((turn) => [`## ${turn.n}. Question`, quoted(turn), "### Answer", ...answerOf(turn)]);
  return [`# ${title === null || title === "" ? "Untitled" : title}`, ...parts];

  function answerOf(turn: TurnView): readonly string[] {
    const { completion, files, exit } = turn;
    const known = completion?.sources_known ?? 0;
    const lookup = (sid: number) => (sid <= known ? bySid.get(sid) : undefined);
    const text = completion === null ? `*No answer${exit === null ? " yet" : ""}.*` : completion.text;
    const said = closeFence(replaceCitations(withNames(withPictures(text)), lookup, "markdown"));
    const listed = sourceList(text, lookup, turns, places);
    const answer = listed === "" ? [said] : [said, listed];
    if (files.length === 0) return answer;
    const names = files.map(({ name }) => `- ${codeSpan(name)}`).join("\n");
    return [...answer, `Files, [in the app](${places.addressOf(turn, "answer")}):`, names, ...picturesOf(files)];
  }

  /** Writes a question as a quotation, so that its headings and lists do not belong to the document. */
  function quoted({ prompt, attachments, inputs }: TurnView): string {
    const sent = inputs.flatMap((input) => [
      "*Sent while the agent was working:*",
      ...saidIn(input.text, input.attachments),
    ]);
    const text = [...saidIn(prompt.text, attachments), ...sent].filter((part) => part !== "").join("\n\n");
    return text.replace(/\r\n?/g, "\n").replace(/^/gm, "> ");
  }

  function saidIn(text: string, attachments: readonly FileView[]): readonly string[] {
    const names = attachments.map(({ name }) => codeSpan(name)).join(", ");
    return [text, names === "" ? "" : `Attached: ${names}`, ...picturesOf(attachments)];
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

/** Paths of files, and links to pages beside the source, mean nothing outside the app. Their words replace them. */
function withNames(text: string): string {
  const named = text.replace(/`fi:[^`\s]*\/([^`/\n]+)`/g, "`$1`");
  const codeOrLink = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)|(?<!!)\[([^\]\n]{1,500})\]\((?!https?:|mailto:)[^)\s]{0,500}\)/g;
  return named.replace(codeOrLink, (whole, code?: string, words?: string) =>
    code === undefined ? (words ?? whole) : code,
  );
}

/** A name as code, so that no character of it is markup. */
function codeSpan(name: string): string {
  return name.includes("`") ? `\`\` ${name} \`\`` : `\`${name}\``;
}
