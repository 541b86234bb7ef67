/**
 * Reads the top-level `citations` list of a YAML text, and nothing else of it.
 *
 *   citations:                        citations: [{sids: [1, 3]}, {sids: [4]}]
 *     - quote: "…"
 *       sids: [1, 3]  # also over several lines
 *     - sids:
 *         - 4
 *     - {sids: [5]}
 *
 * The reader also accepts JSON (which is YAML), a document that is one flow mapping, quoted keys, lists at their key's
 * own column, comments, CRLF, several documents. Everything else is passed over by its indentation alone, block scalars
 * and multi-line strings included, because YAML lets no value reach back to its key's column. The reader does not
 * support anchors, aliases, tags, `? ` keys, tabs as indentation. A flow collection that is never closed ends the
 * reading; citations before it count. Each line is visited once.
 */
import { isJsonObject, type Json, parseJsonObject } from "../base/json.ts";
import { endOfQuoted, readFlow } from "./yaml-flow.ts";

/** A line with content; blank and comment lines are left out. */
interface Line {
  /** Column of the first character that is not a space. */
  readonly indent: number;
  readonly start: number;
  readonly end: number;
}

/** The citations found, in text order, as the JSON they mean; scalars are strings. */
export function readYamlCitations(source: string): Json[] {
  const text = source.replace(/^\ufeff/, "");
  if (!text.includes("citations")) return [];
  const json = parseJsonObject(text);
  if (json !== null) return Array.isArray(json.citations) ? [...json.citations] : [];
  return new CitationReader(text).read();
}

class CitationReader {
  readonly #text: string;
  readonly #lines: Line[];
  readonly #found: Json[] = [];
  /** Index of the line to read next. */
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = contentLines(text);
  }

  read(): Json[] {
    /** Column of the top-level keys; `unseen` until the document's first line is read, `none` when it has no keys. */
    let root: number | "unseen" | "none" = "unseen";
    for (let line = this.#line(); line !== undefined; line = this.#line()) {
      const marker = line.indent === 0 ? /^(?:---|\.\.\.)(?:[ \t]+([^ \t#]))?/.exec(this.#head(line)) : null;
      if (marker !== null) {
        this.#next++;
        root = marker[1] === "|" || marker[1] === ">" ? "none" : "unseen";
        if (marker[1] === "{") this.#readDocument(line.start + marker[0].length - 1);
        continue;
      }
      if (root === "unseen" && this.#text.charAt(line.start) === "{") {
        root = "none";
        this.#readDocument(line.start);
        continue;
      }
      if (root === "unseen" && this.#text.charAt(line.start) !== "%") root = line.indent;
      const value = line.indent === root ? this.#valueOf("citations", line.start) : null;
      this.#next++;
      if (value !== null) this.#readCitations(value, line);
    }
    return this.#found;
  }

  #readDocument(start: number): void {
    const value = this.#readFlowAt(start);
    if (isJsonObject(value) && Array.isArray(value.citations))
      for (const citation of value.citations as readonly Json[]) this.#found.push(citation);
  }

  #readCitations(value: number, key: Line): void {
    const opening = this.#text.charAt(value);
    if (opening === "[") {
      const list = this.#readFlowAt(value);
      if (Array.isArray(list)) for (const citation of list as readonly Json[]) this.#found.push(citation);
    } else if (this.#isEmptyAt(value, key)) {
      this.#eachItem(key.indent, (line, content) => this.#readCitation(line, content));
    }
  }

  /** Calls `read` for each item of a block list no further left than `column`. `read` passes the lines of the item. */
  #eachItem(column: number, read: (line: Line, content: number) => void): void {
    const indent = this.#line()?.indent;
    if (indent === undefined || indent < column) return;
    for (let line = this.#line(); line !== undefined && line.indent === indent; line = this.#line()) {
      const content = this.#itemContent(line);
      if (content === null) return;
      this.#next++;
      read(line, content);
      this.#skipDeeperThan(indent);
    }
  }

  #readCitation(item: Line, content: number): void {
    if (this.#text.charAt(content) === "{") {
      const citation = this.#readFlowAt(content);
      if (citation !== null) this.#found.push(citation);
      return;
    }
    let column: number | undefined;
    if (this.#isEmptyAt(content, item)) {
      column = this.#line()?.indent;
    } else {
      if (!this.#isKeyAt(content, item)) return;
      column = item.indent + content - item.start;
      this.#readSids(content, column, item);
    }
    for (let line = this.#line(); line !== undefined && line.indent > item.indent; line = this.#line()) {
      this.#next++;
      if (line.indent === column) this.#readSids(line.start, column, line);
    }
  }

  #readSids(key: number, column: number, line: Line): void {
    const value = this.#valueOf("sids", key);
    if (value === null) return;
    const sids: Json[] = [];
    if (this.#text.charAt(value) === "[") {
      const list = this.#readFlowAt(value);
      if (list !== null) this.#found.push({ sids: list });
    } else if (this.#isEmptyAt(value, line)) {
      this.#eachItem(column, (item, content) => {
        const id = /^(?:"(\d+)"|'(\d+)'|(\d+))(?:[ \t]+#.*)?$/.exec(this.#text.slice(content, item.end).trimEnd());
        if (id !== null) sids.push(id[1] ?? id[2] ?? id[3] ?? "");
      });
      this.#found.push({ sids });
    }
  }

  /** Reads a flow collection and goes to the line after it, or to the end of the text if it is not closed. */
  #readFlowAt(start: number): Json {
    const node = readFlow(this.#text, start);
    const end = node?.end ?? this.#text.length;
    for (let line = this.#line(); line !== undefined && line.start < end; line = this.#line()) this.#next++;
    return node?.value ?? null;
  }

  #skipDeeperThan(indent: number): void {
    for (let line = this.#line(); line !== undefined && line.indent > indent; line = this.#line()) this.#next++;
  }

  #line(): Line | undefined {
    return this.#lines[this.#next];
  }

  /** The beginning of a line, long enough to recognise a document marker. */
  #head(line: Line): string {
    return this.#text.slice(line.start, Math.min(line.end, line.start + 64));
  }

  /** Index at which the value of the key `name` starts, if this key is at `at`; otherwise null. */
  #valueOf(name: "citations" | "sids", at: number): number | null {
    const key = name === "citations" ? CITATIONS_KEY : SIDS_KEY;
    key.lastIndex = at;
    return key.test(this.#text) ? key.lastIndex : null;
  }

  /** Index at which the content of a list item starts; null if the line is not a list item. */
  #itemContent(line: Line): number | null {
    DASH.lastIndex = line.start;
    return DASH.test(this.#text) ? DASH.lastIndex : null;
  }

  #isEmptyAt(at: number, line: Line): boolean {
    return at >= line.end || this.#text.charAt(at) === "#";
  }

  /** Whether a mapping starts at `at`, and not a block scalar or a string over several lines. */
  #isKeyAt(at: number, line: Line): boolean {
    const content = this.#text.slice(at, line.end);
    const first = content.charAt(0);
    if (first === '"' || first === "'") {
      const end = endOfQuoted(content, 0, first);
      return end >= 0 && /^[ \t]*:/.test(content.slice(end));
    }
    return !"|>#[{&*!".includes(first) && /:(?:[ \t]|$)/.test(content);
  }
}

const CITATIONS_KEY = /(?:citations[ \t]*:(?=[ \t\r\n]|$)|"citations"[ \t]*:|'citations'[ \t]*:)[ \t]*/y;
const SIDS_KEY = /(?:sids[ \t]*:(?=[ \t\r\n]|$)|"sids"[ \t]*:|'sids'[ \t]*:)[ \t]*/y;
const DASH = /-(?=[ \t\r\n]|$)[ \t]*/y;

function contentLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let lineStart = 0; lineStart < text.length; ) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline < 0 ? text.length : newline;
    const end = text.charAt(lineEnd - 1) === "\r" ? lineEnd - 1 : lineEnd;
    let start = lineStart;
    while (text.charCodeAt(start) === 0x20) start++;
    if (start < end && text.charAt(start) !== "#" && text.slice(start, end).trim() !== "")
      lines.push({ indent: start - lineStart, start, end });
    lineStart = lineEnd + 1;
  }
  return lines;
}
