/** Normalises the inlines of a paragraph: joins adjacent texts, trims white space, limits nesting. */
import { type Inline, isMark, MAX_NESTED, plainText } from "./document.ts";

/** White space as HTML and Markdown collapse it, without the no-break space. */
const SPACES = /[ \t\n\f\r]+/g;

export function collapseSpaces(text: string): string {
  return text.replace(SPACES, " ");
}

export function tidyInlines(inlines: readonly Inline[]): Inline[] {
  return trimEnd(trimStart(bound(join(inlines), 1)));
}

function join(inlines: readonly Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const inline of inlines) {
    const last = joined.at(-1);
    if (inline.kind === "text" && last?.kind === "text") {
      const space = last.text.endsWith(" ") && inline.text.startsWith(" ");
      joined[joined.length - 1] = { kind: "text", text: last.text + (space ? inline.text.slice(1) : inline.text) };
    } else joined.push(inline);
  }
  return joined;
}

function bound(inlines: readonly Inline[], depth: number): Inline[] {
  return inlines.flatMap((inline): Inline[] => {
    if (inline.kind !== "link" && !isMark(inline)) return [inline];
    if (depth >= MAX_NESTED.inlines) return [{ kind: "text", text: plainText(inline.children) }];
    const children = bound(join(inline.children), depth + 1);
    return children.length === 0 ? [] : [{ ...inline, children }];
  });
}

function trimStart(inlines: readonly Inline[]): Inline[] {
  const [first, ...rest] = inlines;
  if (first?.kind === "break") return trimStart(rest);
  if (first?.kind !== "text") return [...inlines];
  const text = first.text.replace(/^[ \t\n\f\r]+/, "");
  return text === "" ? trimStart(rest) : [{ kind: "text", text }, ...rest];
}

function trimEnd(inlines: readonly Inline[]): Inline[] {
  const last = inlines.at(-1);
  if (last?.kind === "break") return trimEnd(inlines.slice(0, -1));
  if (last?.kind !== "text") return [...inlines];
  const text = last.text.trimEnd();
  return text === "" ? trimEnd(inlines.slice(0, -1)) : [...inlines.slice(0, -1), { kind: "text", text }];
}
