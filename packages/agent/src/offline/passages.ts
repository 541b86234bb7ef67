/** The texts that the offline model may quote: texts in view, each with its origin and its row of the pool. */
import { splitParts } from "../reader/document/parts.ts";
import { foundLines } from "./found-lines.ts";
import { intentOf } from "./intent.ts";
import { withoutOwnWords } from "./own-words.ts";
import type { PoolRow, ReadTimeline, ToolFinding } from "./read-view.ts";

export interface Passage {
  readonly kind: "file" | "web" | "note" | "said" | "earlier" | "summary";
  /** The name of the source that people see. */
  readonly name: string;
  readonly sid: number | null;
  /** The part of a document: `page 3`, `sheet Sales`, `slide 2`. Null for content without parts. */
  readonly part: string | null;
  readonly text: string;
}

/** Tools whose results only report what was done, or contain earlier quotations. */
const NOT_QUOTED = /^(?:react\.(?:write|patch|plan|hide)$|rendering_tools\.)/;
const SEARCH = "web_tools.web_search";
/** The logical path of a file that the user attached or the agent wrote. */
const NAMED_FILE = /^fi:[^/]*\.(?:files|attachments)\//;
/** Lines of a summary that list paths, or a question with its answer. They answer no other question. */
const NOT_SAID = /^(?:[-*\t ]*(?:fi|so|ar|tc|su|sk):.*|.*\? → .*)$/gm;
/** In a note: the mark of its kind, and the lines that name the standing orders that the note ended. */
const NOT_NOTED = /^(?:\[[PDS]\] ?|(?:In place of|No longer holds): .*)/gm;
const MAX_JSON_DEPTH = 8;
/** A citation in an earlier answer. It is removed from the words that are quoted. */
const CITED = /\s?\[\[S:[^\]\n]*\]\]/g;

/** `documents`: the text of each PDF in view, by its logical path. */
export function passagesOf(timeline: ReadTimeline, documents: ReadonlyMap<string, string>): Passage[] {
  const sids = new Map(timeline.pool.map((row) => [row.place, row.sid]));
  const titles = new Map(timeline.pool.map((row) => [row.sid, row]));
  const passages: Passage[] = [];
  const file = (path: string, text: string) => {
    const source = { kind: "file", name: nameOf(path), sid: sids.get(path) ?? null } as const;
    for (const part of splitParts(isTable(path) ? rowsApart(text) : text))
      if (part.text.trim() !== "") passages.push({ ...source, ...part });
  };
  const whole = wholeSources(timeline, titles);
  // An extract in a search result is left out if the whole page is in view.
  const isWhole = (sid: number | null) => sid !== null && whole.has(sid);
  for (const [nth, turn] of timeline.turns.entries()) {
    for (const { path } of turn.attachments) file(path, documents.get(path) ?? "");
    for (const finding of turn.findings) {
      if (isOwnWork(finding)) continue;
      const lines = foundLines(finding);
      if (lines !== null)
        for (const { path, part, text } of lines)
          passages.push({ kind: "file", name: nameOf(path), sid: sids.get(path) ?? null, part, text });
      else if (finding.path.startsWith("fi:")) file(finding.path, documents.get(finding.path) ?? finding.text);
      else passages.push(...rowsOf(finding, titles).filter(({ sid }) => finding.tool !== SEARCH || !isWhole(sid)));
    }
    if (nth < timeline.turns.length - 1)
      for (const prompt of turn.prompts.filter(isStatement))
        for (const line of prompt.split("\n"))
          if (!line.trim().endsWith("?") && line.trim() !== "")
            passages.push({ kind: "said", name: "what you said", sid: null, part: null, text: line });
  }
  for (const note of timeline.notes)
    passages.push({ kind: "note", name: "my notes", sid: null, part: null, text: noteText(note) });
  for (const summary of timeline.summaries) {
    const text = summary.replace(NOT_SAID, "");
    passages.push({ kind: "summary", name: "the summary of earlier turns", sid: null, part: null, text });
  }
  return passages;
}

/** What a note says, without the lines that only manage notes. */
export function noteText(note: string): string {
  return note.replace(NOT_NOTED, "").trim();
}

const STATEMENTS: ReadonlySet<string> = new Set(["question", "remember", "rule"]);

/** A request, such as "Write a poem", answers no question. A message of several lines may contain a text. */
function isStatement(prompt: string): boolean {
  return prompt.trim().includes("\n") || STATEMENTS.has(intentOf(prompt).kind);
}

function isTable(path: string): boolean {
  return /\.(?:csv|tsv)$/i.test(path);
}

/** Separates the lines of a table or a log by empty lines, so that each is quoted as a row of its own. */
export function rowsApart(text: string): string {
  return text.replace(/\r\n?|\n/g, "\n\n");
}

/** Content that the agent made itself is not a source. */
export function isOwnWork({ tool }: { readonly tool: string }): boolean {
  return NOT_QUOTED.test(tool);
}

function wholeSources({ turns }: ReadTimeline, titles: ReadonlyMap<number, PoolRow>): Set<number> {
  const read = turns.flatMap(({ findings }) =>
    findings.filter(({ tool, path }) => tool !== SEARCH && !path.startsWith("fi:")),
  );
  const cut = new Set(read.flatMap(({ text }) => cutSources(parseJson(text))));
  const sids = read.flatMap((finding) => rowsOf(finding, titles).flatMap(({ sid }) => sid ?? []));
  return new Set(sids.filter((sid) => !cut.has(sid)));
}

/** The fetched pages of which only the beginning is shown. */
function cutSources(json: unknown): readonly number[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.values(json).flatMap((page: unknown) => {
    const isCut = typeof page === "object" && page !== null && "truncated" in page && "sid" in page;
    return isCut && typeof page.sid === "number" ? [page.sid] : [];
  });
}

/** Texts in JSON results and in the rows of the pool: search results, pages, excerpts. */
function rowsOf(finding: ToolFinding, titles: ReadonlyMap<number, PoolRow>): Passage[] {
  const passages: Passage[] = [];
  const add = (sid: number | null, text: string, name: string) => {
    // A question of an earlier turn is not quoted, because it answers nothing.
    if (finding.tool === "react.memsearch" && text.trimEnd().endsWith("?")) return;
    // A search of earlier turns also finds messages, answers, notes and programs, which have no name for people.
    const isFile = finding.tool !== "react.memsearch" || NAMED_FILE.test(name);
    const kind = sid !== null ? "web" : isFile ? "file" : "earlier";
    const whole = kind === "earlier" ? withoutOwnWords(text.replace(CITED, "")) : text;
    const label = sid === null ? undefined : titles.get(sid)?.label;
    const source = { kind, sid, name: label || (name.startsWith("fi:") ? nameOf(name) : name) } as const;
    for (const part of splitParts(whole)) if (part.text.trim() !== "") passages.push({ ...source, ...part });
  };
  const json = parseJson(finding.text);
  if (json !== undefined) walk(json, null, add, 0);
  else if (finding.path.startsWith("so:"))
    for (const row of finding.text.split(/^(?=\[S:\d{1,9}\] )/m)) {
      const [, sid, title = ""] = /^\[S:(\d{1,9})\] (.*)/.exec(row) ?? [];
      const text = row.replace(/^\[S:\d{1,9}\] .*\n?(?:https?:\S*\n)?/, "");
      add(sid === undefined ? null : Number(sid), text, title);
    }
  else add(null, finding.text, finding.tool.startsWith("exec_tools.") ? "a program's report" : finding.tool);
  return passages;
}

type AddRow = (sid: number | null, text: string, name: string) => void;

function walk(json: unknown, above: number | null, add: AddRow, depth: number): void {
  if (typeof json !== "object" || json === null || depth > MAX_JSON_DEPTH) return;
  if (Array.isArray(json)) {
    for (const item of json) walk(item, above, add, depth + 1);
    return;
  }
  const fields = json as Readonly<Record<string, unknown>>;
  const sid = typeof fields.sid === "number" ? fields.sid : above;
  const name =
    typeof fields.title === "string" ? fields.title : typeof fields.path === "string" ? fields.path : "a result";
  for (const key of ["content", "text", "excerpt", "completion"]) {
    const text = fields[key];
    if (typeof text === "string") {
      add(sid, text, name);
      break;
    }
  }
  for (const value of Object.values(fields)) walk(value, sid, add, depth + 1);
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The text began like JSON but is not JSON.
  }
}

export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1) || path;
}
