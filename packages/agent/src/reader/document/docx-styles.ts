/** Reads the styles and lists of a Word document: which paragraphs are headings, and how list items are marked. */
import { type Attributes, attributeOf, walkXml } from "./xml.ts";

export interface ParagraphStyle {
  /** 1 is the highest level; null for text that is not a heading. */
  heading: number | null;
  breaksPage: boolean;
  list: string | null;
}

export function readStyles(xml: string | null): ReadonlyMap<string, ParagraphStyle> {
  const styles = new Map<string, ParagraphStyle>();
  const basedOn = new Map<string, string>();
  let id = "";
  let style: ParagraphStyle = { heading: null, breaksPage: false, list: null };
  walkXml(xml ?? "", {
    open: (name, attributes) => {
      const value = wordValue(attributes);
      if (name === "style") {
        id = attributeOf(attributes, "w:styleId") ?? "";
        style = { heading: null, breaksPage: false, list: null };
        styles.set(id, style);
      } else if (name === "name") style.heading ??= headingOf(value);
      else if (name === "basedOn") basedOn.set(id, value);
      else if (name === "outlineLvl") style.heading = outlineLevel(value) ?? style.heading;
      else if (name === "pageBreakBefore") style.breaksPage = isOn(attributes);
      else if (name === "numId") style.list = value;
    },
  });
  for (const [child, parent] of basedOn) {
    const [own, inherited] = [styles.get(child), styles.get(parent)];
    if (own !== undefined && inherited !== undefined) own.heading ??= inherited.heading;
  }
  return styles;
}

/** Whether a level of a list is numbered, by the id of the list and the level. */
export function readNumbering(xml: string | null): (list: string, level: number) => boolean {
  const formats = new Map<string, string>();
  const abstractOf = new Map<string, string>();
  let [abstract, list, level] = ["", "", ""];
  walkXml(xml ?? "", {
    open: (name, attributes) => {
      if (name === "abstractNum") abstract = attributeOf(attributes, "w:abstractNumId") ?? "";
      else if (name === "lvl") level = attributeOf(attributes, "w:ilvl") ?? "";
      else if (name === "numFmt") formats.set(`${abstract} ${level}`, wordValue(attributes));
      else if (name === "num") list = attributeOf(attributes, "w:numId") ?? "";
      else if (name === "abstractNumId") abstractOf.set(list, wordValue(attributes));
    },
  });
  return (id, at) => {
    const format = formats.get(`${abstractOf.get(id)} ${at}`);
    return format !== undefined && format !== "bullet" && format !== "none";
  };
}

export function wordValue(attributes: Attributes): string {
  return attributeOf(attributes, "w:val") ?? "";
}

/** An on/off property without a value is on. */
export function isOn(attributes: Attributes): boolean {
  return !/^(?:0|false|off)$/.test(wordValue(attributes));
}

/** The level of a heading, from its outline level; null for body text. */
export function outlineLevel(value: string): number | null {
  return /^[0-8]$/.test(value) ? Number(value) + 1 : null;
}

function headingOf(name: string): number | null {
  if (/^title$/i.test(name)) return 1;
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  return level === undefined ? null : Number(level);
}
