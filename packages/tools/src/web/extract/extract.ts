/** Converts bytes to readable text, by their type. Runs in a reader process with limits on time and memory. */
import { decodeBytes } from "@cairn/agent/charset";
import { type ExtractedPage, type ExtractRequest, MAX_TEXT_CHARS } from "./page.ts";

export async function extract({ bytes, kind, charset, baseUrl }: ExtractRequest): Promise<ExtractedPage> {
  const page = await read(bytes, kind, charset, baseUrl);
  const text = page.text.toWellFormed();
  if (text.length <= MAX_TEXT_CHARS) return { ...page, text };
  const problem = `The text has ${text.length} characters; the first ${MAX_TEXT_CHARS} were kept.`;
  return { ...page, text: text.slice(0, MAX_TEXT_CHARS).toWellFormed(), problem: page.problem ?? problem };
}

async function read(
  bytes: Uint8Array,
  kind: ExtractRequest["kind"],
  charset: string | undefined,
  baseUrl: string | undefined,
): Promise<ExtractedPage> {
  switch (kind) {
    case "html": {
      const { htmlPage } = await import("./html-page.ts");
      return htmlPage(decodeBytes(bytes, charset, true), baseUrl);
    }
    case "pdf":
    case "zip":
      return (await import("@cairn/agent/document-text")).documentText(bytes, kind);
    case "markdown": {
      const text = withoutComments(decodeBytes(bytes, charset, false));
      return { text, title: headingOf(text) };
    }
    case "json":
      return { text: indented(decodeBytes(bytes, charset, false)) };
    case "text":
      return { text: decodeBytes(bytes, charset, false) };
  }
}

/** Markdown without the comments that begin a line, which readers of the page do not see. Code blocks stay unchanged. */
function withoutComments(markdown: string): string {
  let [isCode, isComment] = [false, false];
  const kept: string[] = [];
  for (const line of markdown.split("\n")) {
    if (!isComment && /^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    isComment ||= !isCode && /^\s*<!--/.test(line);
    const end = isComment ? line.indexOf("-->") : 0;
    const rest = isComment ? line.slice(end + 3) : line;
    if (!isComment || (end !== -1 && rest.trim() !== "")) kept.push(rest);
    if (end !== -1) isComment = false;
  }
  return kept.join("\n");
}

const HEADING_WITHIN = 10_000;

function headingOf(text: string): string | undefined {
  const line = /^#[ \t].*$/m.exec(text.slice(0, HEADING_WITHIN))?.[0].slice(1, 300).trim();
  return line?.replace(/[ \t]#{1,6}$/, "").trim() || undefined;
}

/** Maximum depth of JSON that is indented; beyond it, the indentation would exceed the data. */
const MAX_JSON_DEPTH = 200;

/** JSON on one line cannot be read in part, so it is indented; invalid JSON is kept as text. */
function indented(text: string): string {
  if (isDeeper(text, MAX_JSON_DEPTH)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // A text that is not JSON is shown unchanged.
  }
}

/** Whether brackets are nested more deeply, including brackets inside strings. */
function isDeeper(json: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length && depth <= most; at++) {
    const character = json[at];
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
  }
  return depth > most;
}
