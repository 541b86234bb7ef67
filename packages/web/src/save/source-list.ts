/** The list of sources below an exported answer: the title of each, where it is, and the cited places in it. */
import { type FileView, replaceCitations, type SourceLookup, type SourceRow, type TurnView } from "@cairn/timeline";
import { findPassage } from "../markdown/find-passage.ts";
import { citationsIn } from "../markdown/lex.ts";
import { sourcePlace, sourceText } from "../markdown/source-text.ts";

export interface SourcePlaces {
  /** The texts of cited files of the conversation, by logical path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The address of a part of a turn in the app. */
  readonly addressOf: (turn: TurnView, part: "prompt" | "answer") => string;
}

/** A list in Markdown; empty if the text cites no source. */
export function sourceList(
  text: string,
  lookup: (sid: number) => SourceRow | undefined,
  turns: readonly TurnView[],
  { texts, addressOf }: SourcePlaces,
): string {
  const cited = new Map<SourceRow, Set<string>>();
  for (const { sids, before } of citationsIn(text))
    for (const sid of sids) {
      const row = lookup(sid);
      if (row === undefined) continue;
      const places = cited.get(row) ?? new Set();
      cited.set(row, places.add(citedPlace(row, before)));
    }
  const lines = [...cited].map(([row, places]) => {
    const title = replaceCitations(`[[S:${row.sid}]]`, lookup as SourceLookup, "markdown");
    const where = [...places].filter((place) => place !== "").join("; ");
    return `- ${title} (${originOf(row)})${where === "" ? "" : `: ${where}`}`;
  });
  return lines.length === 0 ? "" : `Sources:\n\n${lines.join("\n")}`;

  function originOf(row: SourceRow): string {
    const isFrom = ({ path }: FileView) => path === row.artifact_path;
    for (const turn of turns) {
      const attached = [...turn.attachments, ...turn.inputs.flatMap(({ attachments }) => attachments)];
      if (attached.some(isFrom)) return `attached to [question ${turn.n}](${addressOf(turn, "prompt")})`;
      if (turn.files.some(isFrom)) return `made with [answer ${turn.n}](${addressOf(turn, "answer")})`;
    }
    return sourcePlace(row);
  }

  function citedPlace(row: SourceRow, claim: string): string {
    const file = typeof row.artifact_path === "string" ? texts.get(row.artifact_path) : undefined;
    // A web page, or an extract of it, has no line numbers that its readers see.
    const isWhole = file !== undefined || (Boolean(row.content) && !/^https?:/i.test(String(row.url)));
    const isMarkdown = /markdown/.test(String(row.mime ?? "markdown"));
    return placeIn(file ?? sourceText(row), claim, { isWhole, isMarkdown });
  }
}

interface TextKind {
  /** Whether the lines of the text are the lines of the source. */
  readonly isWhole: boolean;
  readonly isMarkdown: boolean;
}

/** Where in the text the cited words are, such as `page 3` or `section “Tides”, line 12`; empty if they are not found. */
export function placeIn(text: string, claim: string, { isWhole, isMarkdown }: TextKind): string {
  const passage = findPassage(claim, text);
  if (passage === null) return "";
  let [part, section, isCode] = ["", "", false];
  const lines = text.slice(0, passage.start).split("\n");
  for (const line of lines) {
    if (/^[ \t]*(?:```|~~~)/.test(line)) isCode = !isCode;
    const begun = /^\[((?:page|sheet|slide) [^\]\n]{1,100})\]$/.exec(line.trim())?.[1];
    if (begun !== undefined) [part, section] = [begun, ""];
    else if (isMarkdown && !isCode) section = /^#{1,6} +(.{1,200}?)[ #]*$/.exec(line)?.[1] ?? section;
  }
  const named = section === "" ? "" : `section “${section.replace(/[\\`*_[\]<>~|]/g, "\\$&")}”`;
  const line = part === "" && isWhole ? `line ${lines.length}` : "";
  return [part, named, line].filter((each) => each !== "").join(", ");
}
