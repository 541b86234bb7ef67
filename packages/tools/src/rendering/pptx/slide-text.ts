/** Inlines as runs of a slide's text. What belongs to a paragraph stands with its first run, the line break with its last. */
import type { Assets } from "../assets.ts";
import { closeUp, referencesOf } from "../model/cited.ts";
import { isRightToLeft } from "../model/direction.ts";
import { type Inline, isMark, type Mark, plainText } from "../model/document.ts";
import { linkTarget } from "../model/links.ts";
import { mathText } from "../model/math-text.ts";
import { drawable } from "../model/readable-text.ts";
import type { Theme } from "../theme.ts";
import type { TextOptions, TextRun } from "./pptx-library.ts";

export const CODE_FACE = "Consolas";

export type Run = TextRun;
type RunOptions = TextOptions;

export interface SlideContext {
  readonly theme: Theme;
  readonly assets: Assets;
}

const NO_ANCHORS: ReadonlySet<string> = new Set();

/** One paragraph. `paragraph` holds what is said of it as a whole, such as its bullet. */
export function paragraphRuns(
  inlines: readonly Inline[],
  context: SlideContext,
  paragraph: RunOptions = {},
  style: RunOptions = {},
): Run[] {
  const runs = inlineRuns(inlines, context, style);
  if (runs.length === 0) runs.push({ text: "", options: { ...style } });
  const turned: RunOptions = isRightToLeft(plainText(inlines)) ? { rtlMode: true, align: "right" } : {};
  const [first, ...rest] = runs;
  const opened = { ...first, options: { ...first?.options, ...paragraph, ...turned } };
  // An alignment is looked up run by run; one that differs would begin a new paragraph.
  const others = rest.map((run) => ({
    ...run,
    options: { ...run.options, ...("align" in turned ? { align: turned.align } : {}) },
  }));
  const all: Run[] = [opened, ...others];
  const last = all.at(-1);
  if (last !== undefined) last.options = { ...last.options, breakLine: true };
  return all;
}

export function inlineRuns(inlines: readonly Inline[], context: SlideContext, style: RunOptions): Run[] {
  return closeUp(inlines, context.assets.references).flatMap((inline) => inlineRun(inline, context, style));
}

function inlineRun(inline: Inline, context: SlideContext, style: RunOptions): Run[] {
  const { theme, assets } = context;
  if (isMark(inline)) return inlineRuns(inline.children, context, { ...style, ...styleOf(inline.kind) });
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
      ...(shift === "sub" ? { subscript: true } : shift === "sup" ? { superscript: true } : {}),
    },
  }));
}

function styleOf(mark: Mark): RunOptions {
  switch (mark) {
    case "strong":
      return { bold: true };
    case "emphasis":
      return { italic: true };
    case "strike":
      return { strike: "sngStrike" };
    case "underline":
      return { underline: { style: "sng" } };
    case "mark":
      return { highlight: "FFF1B8" };
    case "sub":
      return { subscript: true };
    case "sup":
      return { superscript: true };
  }
}
