/** How a file is shown: by its media type or, if the type is too general, by its name. */
export type FileKind = "pdf" | "image" | "svg" | "html" | "diagram" | "markdown" | "table" | "code" | "text" | "other";

const CODE: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  js: "javascript",
  mjs: "javascript",
  jsx: "javascript",
  py: "python",
  rs: "rust",
  go: "go",
  c: "c",
  h: "c",
  cpp: "cpp",
  java: "java",
  sh: "bash",
  sql: "sql",
  css: "css",
  json: "json",
  jsonl: "json",
  yaml: "yaml",
  yml: "yaml",
  toml: "ini",
  html: "xml",
  htm: "xml",
  xml: "xml",
  diff: "diff",
  patch: "diff",
  mmd: "mermaid",
  mermaid: "mermaid",
};

const IMAGES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

export function fileKind(name: string, mime: string | null): FileKind {
  const type = (mime ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const ending = endingOf(name);
  if (type === "application/pdf" || (type === "" && ending === "pdf")) return "pdf";
  if (type === "image/svg+xml" || ending === "svg") return "svg";
  if (IMAGES.has(type)) return "image";
  if (type === "text/html" || ending === "html" || ending === "htm") return "html";
  if (type === "text/vnd.mermaid" || ending === "mmd" || ending === "mermaid") return "diagram";
  if (type === "text/markdown" || ending === "md" || ending === "markdown") return "markdown";
  if (type === "text/csv" || type === "text/tab-separated-values" || ending === "csv" || ending === "tsv")
    return "table";
  if (CODE[ending] !== undefined || type === "application/json") return "code";
  if (type.startsWith("text/") || ending === "txt" || ending === "log") return "text";
  return "other";
}

/** Whether the server can convert the citations of a file to links. */
export function canCite(name: string, mime: string | null): boolean {
  const kind = fileKind(name, mime);
  return kind === "markdown" || kind === "html";
}

/** The highlighter's name for the language of a file; empty if it has none. */
export function languageOf(name: string, mime: string | null): string {
  const known = CODE[endingOf(name)];
  if (known !== undefined) return known;
  if (mime === "text/html") return "xml";
  return mime === "application/json" ? "json" : fileKind(name, mime) === "markdown" ? "markdown" : "";
}

function endingOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
