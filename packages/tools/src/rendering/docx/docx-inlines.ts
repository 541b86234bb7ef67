/** Writes inline content as runs of a Word paragraph. */
import {
  ExternalHyperlink,
  FootnoteReferenceRun,
  ImageRun,
  InternalHyperlink,
  type IRunOptions,
  type ParagraphChild,
  TextRun,
} from "docx";
import type { Assets } from "../image/assets.ts";
import { closeUp, referencesOf } from "../model/cited.ts";
import { isRightToLeft } from "../model/direction.ts";
import { type Inline, isMark, type Mark } from "../model/document.ts";
import type { Labels } from "../model/labels.ts";
import { linkTarget } from "../model/links.ts";
import { mathText } from "../model/math-text.ts";
import { drawable } from "../model/readable-text.ts";
import type { OfficePictures } from "../office/office-pictures.ts";
import type { Theme } from "../renderer/theme.ts";
import { CODE_FACE } from "./docx-styles.ts";

export interface DocxContext {
  readonly theme: Theme;
  readonly labels: Labels;
  readonly assets: Assets;
  readonly pictures: OfficePictures;
  readonly anchors: ReadonlySet<string>;
  /** Notes that were already referenced. A note may be referenced only once in a document. */
  readonly usedNotes: Set<number>;
  /** Maximum width of a picture in a line, in CSS pixels. */
  readonly pixels: number;
}

type RunStyle = { -readonly [K in keyof IRunOptions]?: IRunOptions[K] };

const INLINE_IMAGE_HEIGHT = 44;

export function docxInlines(inlines: readonly Inline[], context: DocxContext, style: RunStyle = {}): ParagraphChild[] {
  return closeUp(inlines, context.assets.references).flatMap((inline) => docxInline(inline, context, style));
}

function docxInline(inline: Inline, context: DocxContext, style: RunStyle): ParagraphChild[] {
  const { theme, pictures } = context;
  if (isMark(inline)) return docxInlines(inline.children, context, { ...style, ...MARKS[inline.kind] });
  switch (inline.kind) {
    case "text": {
      const text = drawable(inline.text);
      return [new TextRun({ ...style, text, ...(isRightToLeft(text) ? { rightToLeft: true } : {}) })];
    }
    case "code":
      return [codeRun(inline.text, theme, style)];
    case "break":
      return [new TextRun({ break: 1 })];
    case "link": {
      const target = linkTarget(inline.href, context.anchors);
      if (target === null) return docxInlines(inline.children, context, style);
      const children = docxInlines(inline.children, context, { ...style, style: "Hyperlink" });
      if ("url" in target) return [new ExternalHyperlink({ link: target.url, children })];
      return [new InternalHyperlink({ anchor: bookmarkOf(target.anchor), children })];
    }
    case "image": {
      const picture = pictures.images.get(inline.src);
      if (picture === undefined)
        return [new TextRun({ ...style, text: `[${drawable(inline.alt) || context.labels.noPicture}]` })];
      const scale = Math.min(1, INLINE_IMAGE_HEIGHT / picture.height, context.pixels / picture.width);
      return [imageRun(picture, scale, inline.alt)];
    }
    case "math":
      return mathRuns(inline.tex, context, style);
    case "footnote": {
      const again = context.usedNotes.has(inline.number);
      context.usedNotes.add(inline.number);
      if (again) return [new TextRun({ ...style, text: String(inline.number), superScript: true })];
      return [new FootnoteReferenceRun(inline.number)];
    }
    case "citation": {
      const references = referencesOf(inline, context.assets.references);
      if (references.length === 0) return [new TextRun({ ...style, text: inline.token })];
      const raised: RunStyle = { superScript: true, color: theme.link };
      const links = references.flatMap(({ number }, at) => [
        ...(at === 0 ? [] : [new TextRun({ ...raised, text: "," })]),
        new InternalHyperlink({
          anchor: `source_${number}`,
          children: [new TextRun({ ...raised, text: String(number) })],
        }),
      ]);
      return [new TextRun({ ...raised, text: "[" }), ...links, new TextRun({ ...raised, text: "]" })];
    }
  }
}

const MARKS: Readonly<Record<Mark, RunStyle>> = {
  strong: { bold: true },
  emphasis: { italics: true },
  strike: { strike: true },
  underline: { underline: {} },
  mark: { shading: { type: "clear", fill: "FFF1B8" } },
  sub: { subScript: true },
  sup: { superScript: true },
};

/** Writes a formula that fits on a line as text, because a picture of it would not align with the text. */
function mathRuns(tex: string, { pictures, theme }: DocxContext, style: RunStyle): ParagraphChild[] {
  const pieces = mathText(drawable(tex));
  if (pieces !== null)
    return pieces.map(
      ({ text, shift, isVariable }) =>
        new TextRun({
          ...style,
          text,
          font: "Cambria Math",
          ...(isVariable ? { italics: true } : {}),
          ...(shift === null ? {} : MARKS[shift]),
        }),
    );
  const formula = pictures.signs.get(tex);
  return [formula === undefined ? codeRun(tex, theme, style) : imageRun(formula, 1, tex)];
}

function codeRun(text: string, theme: Theme, style: RunStyle): TextRun {
  return new TextRun({
    ...style,
    text: drawable(text),
    font: CODE_FACE,
    noProof: true,
    shading: { type: "clear", fill: theme.panel },
  });
}

export function imageRun(
  { type, data, width, height }: { type: "png" | "jpg" | "gif"; data: Uint8Array; width: number; height: number },
  scale: number,
  alt: string,
): ImageRun {
  const description = drawable(alt).slice(0, 500);
  return new ImageRun({
    type,
    data,
    transformation: { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) },
    altText: { name: description.slice(0, 60) || "Picture", description, title: "" },
  });
}

/** The name of a bookmark: Word allows at most forty letters, digits and underscores. */
export function bookmarkOf(anchor: string): string {
  let hash = 0;
  for (const character of anchor) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return `h_${anchor.replace(/[^A-Za-z0-9_]/g, "_").slice(0, 24)}_${(hash >>> 0).toString(36)}`;
}
