/** The highlighter: loaded when the first code is shown. Returns elements, never HTML. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { ReactNode } from "react";

const languages = {
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(["jsonl", "ndjson"], { languageName: "json" });

export type Highlighter = (code: string, language: string) => ReactNode;

/** Maximum length of highlighted code. Longer code stays plain. */
const MAX_LENGTH = 200_000;
/** Code with longer lines stays plain: some grammars take seconds for them. JSON's does not. */
const MAX_LINE_LENGTH = 2_000;
/** Maximum number of coloured parts of a text, because each part is an element of the page. The rest has no colours. */
const MAX_PARTS = 2_000;

export const highlight: Highlighter = (code, language) => {
  if (code.length > MAX_LENGTH || hljs.getLanguage(language) === undefined) return code;
  if (language !== "json" && code.split("\n").some((line) => line.length > MAX_LINE_LENGTH)) return code;
  const { _emitter: emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  const root: unknown = Reflect.get(emitter, "rootNode");
  return isNode(root) ? drawAll(root.children, { left: MAX_PARTS }) : code;
};

/** A part of highlight.js's own tree: text, or a scope around parts. */
interface Node {
  readonly scope?: string;
  readonly children: readonly unknown[];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && Array.isArray(Reflect.get(value, "children"));
}

/** `budget.left`: how many more parts may be coloured. The text after them is one part. */
function drawAll(parts: readonly unknown[], budget: { left: number }): ReactNode {
  const joined = joinTexts(parts);
  const drawn: ReactNode[] = [];
  for (const [index, part] of joined.entries()) {
    if (budget.left <= 0) return [...drawn, joined.slice(index).map(textOf).join("")];
    if (typeof part === "string") drawn.push(part);
    else if (isNode(part)) drawn.push(drawNode(part, index, budget));
  }
  return drawn;
}

function drawNode({ scope, children }: Node, index: number, budget: { left: number }): ReactNode {
  if (scope === undefined) return drawAll(children, budget);
  budget.left--;
  return (
    <span key={index} className={classOf(scope)}>
      {drawAll(children, budget)}
    </span>
  );
}

function textOf(part: unknown): string {
  if (typeof part === "string") return part;
  return isNode(part) ? part.children.map(textOf).join("") : "";
}

/** Joins adjacent texts: a grammar that fails returns one text per character, and each would be a node. */
function joinTexts(parts: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === "string" && typeof last === "string") joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}

/** `title.function` is styled as a title. */
function classOf(scope: string): string {
  return `hljs-${scope.split(".")[0] ?? ""}`;
}
