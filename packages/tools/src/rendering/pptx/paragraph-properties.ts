/**
 * Paragraph properties as PowerPoint writes them: level, indent, bullet or number.
 *
 * pptxgenjs supports neither the colour or font of a bullet nor a margin without a bullet, and repeats a paragraph's
 * properties for every run, which the schema does not allow. So each paragraph carries a number, disguised as a tab
 * stop, which is replaced with the real properties in the finished slides.
 */
import type JSZip from "jszip";
import { POINTS_AN_INCH } from "./measure.ts";
import type { TextOptions } from "./pptx-library.ts";

/** The mark before the first line of an item. */
export type Bullet =
  | { readonly kind: "sign"; readonly sign: string; readonly face: string; readonly color: string }
  | { readonly kind: "number"; readonly startAt: number; readonly face: string; readonly color: string };

export interface ParagraphLook {
  /** Depth of the list; 0 outside of lists. */
  readonly level: number;
  /** Left margin in inches. */
  readonly margin: number;
  /** Hanging indent of the first line in inches. */
  readonly hanging: number;
  /** Space below the paragraph, in inches. */
  readonly after: number;
  readonly isTurned: boolean;
  readonly bullet: Bullet | null;
}

/** The deepest level that the format supports. */
const MAX_DEPTH = 8;
const EMU_AN_INCH = 914_400;
/** The first key; pptxgenjs passes values above a hundred through unchanged instead of converting inches. */
const FIRST_KEY = 1_000;
const KEY = /<a:tabLst><a:tab pos="(\d+)"/;
const PROPERTIES = /<a:pPr\b[^>]*?(?:\/>|>.*?<\/a:pPr>)/gs;
const SLIDE = /^ppt\/slides\/slide\d+\.xml$/;

export class ParagraphProperties {
  readonly #keys = new Map<string, number>();

  /** Puts the properties of a paragraph into the options of its first run. */
  carry(look: ParagraphLook): TextOptions {
    const xml = propertiesOf(look);
    const key = this.#keys.get(xml) ?? FIRST_KEY + this.#keys.size;
    this.#keys.set(xml, key);
    return { tabStops: [{ position: key }] };
  }

  /** Inserts each paragraph's properties, once. */
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
  return `<a:pPr ${place} lvl="${Math.min(level, MAX_DEPTH)}"${direction}>${space}${bulletOf(bullet)}</a:pPr>`;
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
