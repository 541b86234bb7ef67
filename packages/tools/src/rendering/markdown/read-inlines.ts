/** Converts the parser's inline tokens. Tags of HTML that change no style are removed; their content stays. */
import { decodeHTMLStrict } from "entities/decode";
import { citationSids, type InlineTag, readTag } from "../html/inline-tag.ts";
import type { Inline, Mark } from "../model/document.ts";
import { collapseSpaces } from "../model/tidy-inlines.ts";
import type { InlineToken } from "./token.ts";

export interface InlineContext {
  readonly footnote: (id: string) => number | null;
}

export function readInlines(tokens: readonly InlineToken[], context: InlineContext): Inline[] {
  const root: Inline[] = [];
  const open: { readonly tag: InlineTag; readonly children: Inline[]; readonly into: Inline[] }[] = [];
  let into = root;
  const close = () => {
    const last = open.pop();
    if (last === undefined) return;
    into = last.into;
    into.push(...closed(last.tag, last.children));
  };
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "html") {
      into.push(...readInline(token, context));
      if (isBeforeLabel(token, tokens.slice(at + 1, at + 3))) into.push({ kind: "break" });
      continue;
    }
    const tag = readTag(token.text);
    if (tag === null) continue;
    if (tag.closing) {
      // A closing tag also closes tags opened inside it; a closing tag without an opening tag is ignored.
      if (open.some((each) => each.tag.name === tag.name)) {
        while (open.at(-1)?.tag.name !== tag.name) close();
        close();
      }
    } else if (tag.name === "br") into.push({ kind: "break" });
    else if (tag.name === "img") into.push({ kind: "image", src: tag.src, alt: tag.alt });
    else {
      const children: Inline[] = [];
      open.push({ tag, children, into });
      into = children;
    }
  }
  while (open.length > 0) close();
  return root;
}

/** `**From:** Ada` and `**To:** Ben` on consecutive lines are meant as two lines, unlike in Markdown. */
function isBeforeLabel(token: InlineToken, [strong, behind]: readonly InlineToken[]): boolean {
  if (token.type !== "text" || !/\n$/.test(token.text) || strong?.type !== "strong") return false;
  return /[:：]$/.test(strong.text) || (behind?.type === "text" && /^[:：]/.test(behind.text));
}

const MARK_OF_TOKEN: Readonly<Record<"strong" | "em" | "del", Mark>> = {
  strong: "strong",
  em: "emphasis",
  del: "strike",
};

function readInline(token: Exclude<InlineToken, { type: "html" }>, context: InlineContext): Inline[] {
  switch (token.type) {
    case "text":
      if (token.tokens !== undefined) return readInlines(token.tokens as InlineToken[], context);
      return [{ kind: "text", text: collapseSpaces(decodeHTMLStrict(token.text)) }];
    case "escape":
      return [{ kind: "text", text: decodeHTMLStrict(token.text) }];
    case "strong":
    case "em":
    case "del":
      return [{ kind: MARK_OF_TOKEN[token.type], children: readInlines(token.tokens as InlineToken[], context) }];
    case "codespan":
      return [{ kind: "code", text: token.text }];
    case "br":
      return [{ kind: "break" }];
    case "link":
      return [
        {
          kind: "link",
          href: token.autolink === true ? token.href : decodeHTMLStrict(token.href),
          children: readInlines(token.tokens as InlineToken[], context),
        },
      ];
    case "image":
      return [{ kind: "image", src: decodeHTMLStrict(token.href), alt: decodeHTMLStrict(token.text) }];
    case "citation":
      return [{ kind: "citation", sids: token.sids, token: token.raw }];
    case "mathInline":
      return [{ kind: "math", tex: token.tex }];
    case "footnoteRef": {
      const number = context.footnote(token.id);
      return [number === null ? { kind: "text", text: token.raw } : { kind: "footnote", number }];
    }
    case "checkbox":
      return [];
  }
}

function closed(tag: InlineTag, children: readonly Inline[]): readonly Inline[] {
  const sids = citationSids(tag);
  if (sids !== null) return [{ kind: "citation", sids, token: `[[S:${sids.join(",")}]]` }];
  if (tag.name === "a" && tag.href !== "") return [{ kind: "link", href: tag.href, children }];
  if (tag.name === "code")
    return [{ kind: "code", text: children.map((child) => ("text" in child ? child.text : "")).join("") }];
  return tag.mark === null ? children : [{ kind: tag.mark, children }];
}
