/**
 * What is said of a paragraph as a whole, as PowerPoint itself writes it: its level, its indent, its bullet or number.
 *
 * pptxgenjs knows no colour or face of a bullet and no margin of a paragraph without one, and says a paragraph's
 * properties once for every run of it, which the schema does not allow. So a paragraph carries a number through it, as
 * the place of a tab stop, and what the number stands for is put in its place in the finished slides.
 */
import type JSZip from "jszip";
import { POINTS_AN_INCH } from "./measure.ts";
import type { TextOptions } from "./pptx-library.ts";

/** What stands before the first line of an item. */
export type Bullet =
  | { readonly kind: "sign"; readonly sign: string; readonly face: string; readonly color: string }
  | { readonly kind: "number"; readonly startAt: number; readonly face: string; readonly color: string };

export interface ParagraphLook {
  /** 0 for what is in no list. */
  readonly level: number;
  /** Inches before its lines. */
  readonly margin: number;
  /** Inches that its first line begins before the others. */
  readonly hanging: number;
  /** Inches below it. */
  readonly after: number;
  readonly isTurned: boolean;
  readonly bullet: Bullet | null;
}

/** The deepest that the format has. */
const DEEPEST = 8;
const EMU_AN_INCH = 914_400;
/** pptxgenjs takes what is above a hundred as it is, and not for inches. */
const FIRST_KEY = 1_000;
const KEY = /<a:tabLst><a:tab pos="(\d+)"/;
const PROPERTIES = /<a:pPr\b[^>]*?(?:\/>|>.*?<\/a:pPr>)/gs;
const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;

export class ParagraphProperties {
  readonly #keys = new Map<string, number>();

  /** For the first run of a paragraph. */
  carry(look: ParagraphLook): TextOptions {
    const xml = propertiesOf(look);
    const key = this.#keys.get(xml) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(xml, key);
    return { tabStops: [{ position: key }] };
  }

  /** Puts each paragraph's properties in their place, once. */
  async putInto(presentation: JSZip): Promise<void> {
    const kept = new Map([...this.#keys].map(([xml, key]) => [String(key), xml]));
    for (const file of presentation.file(SLIDE))
      presentation.file(file.name, withProperties(await file.async("string"), kept));
  }
}

function withProperties(slide: string, kept: ReadonlyMap<string, string>): string {
  const [head = "", ...paragraphs] = slide.split("<a:p>");
  const written = paragraphs.map((paragraph) => {
    let isFirst = true;
    return paragraph.replace(PROPERTIES, (xml) => {
      if (!isFirst) return "";
      isFirst = false;
      return kept.get(KEY.exec(xml)?.[1] ?? "") ?? xml;
    });
  });
  return [head, ...written].join("<a:p>");
}

function propertiesOf({ level, margin, hanging, after, isTurned, bullet }: ParagraphLook): string {
  const place = `marL="${emu(margin)}" indent="${-emu(hanging)}"`;
  const direction = isTurned ? ' algn="r" rtl="1"' : ' algn="l"';
  const space = `<a:spcAft><a:spcPts val="${Math.round(after * POINTS_AN_INCH * 100)}"/></a:spcAft>`;
  return `<a:pPr ${place} lvl="${Math.min(level, DEEPEST)}"${direction}>${space}${bulletOf(bullet)}</a:pPr>`;
}

function bulletOf(bullet: Bullet | null): string {
  if (bullet === null) return "<a:buNone/>";
  const look = `<a:buClr><a:srgbClr val="${bullet.color}"/></a:buClr><a:buFont typeface="${bullet.face}"/>`;
  const mark =
    bullet.kind === "sign"
      ? `<a:buChar char="${bullet.sign}"/>`
      : `<a:buAutoNum type="arabicPeriod" startAt="${bullet.startAt}"/>`;
  return look + mark;
}

const emu = (inches: number) => Math.round(inches * EMU_AN_INCH);
