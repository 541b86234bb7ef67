/** Inlines as runs of a slide's text. The line break of a paragraph belongs to its last run. */
import type { Assets } from "../image/assets.ts";
import { closeUp, referencesOf } from "../model/cited.ts";
import { type Inline, isMark, type Mark } from "../model/document.ts";
import { linkTarget } from "../model/links.ts";
import { mathText } from "../model/math-text.ts";
import { drawable } from "../model/readable-text.ts";
import type { Theme } from "../renderer/theme.ts";
import type { TextOptions, TextRun } from "./pptx-library.ts";

export const CODE_FACE = "Consolas";

export type Run = TextRun;
type RunOptions = TextOptions;

export interface SlideContext {
  readonly theme: Theme;
  readonly assets: Assets;
}

const NO_ANCHORS: ReadonlySet<string> = new Set();

export function paragraphRuns(inlines: readonly Inline[], context: SlideContext, style: RunOptions): Run[] {
  const runs = inlineRuns(inlines, context, style).flatMap(brokenSoftly);
  if (runs.length === 0) runs.push({ text: "", options: { ...style } });
  const last = runs.at(-1);
  if (last !== undefined) last.options = { ...last.options, breakLine: true };
  return runs;
}

/** Splits a run at line breaks, because pptxgenjs would start a new paragraph with its own bullet. */
function brokenSoftly({ text = "", options = {} }: Run): Run[] {
  return text
    .split(/\r?\n/)
    .map((line, at) => ({ text: line, options: at === 0 ? options : { ...options, softBreakBefore: true } }));
}

export function inlineRuns(inlines: readonly Inline[], context: SlideContext, style: RunOptions): Run[] {
  return closeUp(inlines, context.assets.references).flatMap((inline) => inlineRun(inline, context, style));
}

function inlineRun(inline: Inline, context: SlideContext, style: RunOptions): Run[] {
  const { theme, assets } = context;
  if (isMark(inline)) return inlineRuns(inline.children, context, { ...style, ...MARKS[inline.kind] });
  switch (inline.kind) {
    case "text":
      return [{ text: drawable(inline.text), options: { ...style } }];
    case "code":
      return [{ text: drawable(inline.text), options: { ...style, fontFace: CODE_FACE, color: theme.heading } }];
    case "math":
      return mathRuns(inline.tex, style);
    case "break":
      return [{ text: "", options: { ...style, softBreakBefore: true } }];
    case "link": {
      const target = linkTarget(inline.href, NO_ANCHORS);
      if (target === null || !("url" in target)) return inlineRuns(inline.children, context, style);
      const linked = { ...style, color: theme.link, hyperlink: { url: target.url } };
      return inlineRuns(inline.children, context, linked);
    }
    case "image":
      return [{ text: `[${drawable(inline.alt) || "picture"}]`, options: { ...style } }];
    case "footnote":
      return [{ text: String(inline.number), options: { ...style, superscript: true, color: theme.accent } }];
    case "citation": {
      const references = referencesOf(inline, assets.references);
      if (references.length === 0) return [{ text: inline.token, options: { ...style } }];
      const raised: RunOptions = { ...style, superscript: true, color: theme.link };
      const numbers = references.flatMap(({ number, url, title }, at): Run[] => [
        ...(at === 0 ? [] : [{ text: ",", options: { ...raised } }]),
        {
          text: String(number),
          options: {
            ...raised,
            ...(url === null ? {} : { hyperlink: { url, tooltip: drawable(title).slice(0, 200) } }),
          },
        },
      ]);
      return [{ text: "[", options: { ...raised } }, ...numbers, { text: "]", options: { ...raised } }];
    }
  }
}

function mathRuns(tex: string, style: RunOptions): Run[] {
  const pieces = mathText(drawable(tex));
  if (pieces === null) return [{ text: drawable(tex), options: { ...style, fontFace: CODE_FACE } }];
  return pieces.map(({ text, shift, isVariable }) => ({
    text,
    options: {
      ...style,
      fontFace: "Cambria Math",
      italic: isVariable,
      ...(shift === null ? {} : MARKS[shift]),
    },
  }));
}

const MARKS: Readonly<Record<Mark, RunOptions>> = {
  strong: { bold: true },
  emphasis: { italic: true },
  strike: { strike: "sngStrike" },
  underline: { underline: { style: "sng" } },
  mark: { highlight: "FFF1B8" },
  sub: { subscript: true },
  sup: { superscript: true },
};
