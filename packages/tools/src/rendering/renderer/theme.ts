/** The look of documents: colours and fonts that every back end uses. */
import type { CodeColour } from "../model/highlight.ts";

export const THEMES = ["modern", "classic", "plain"] as const;
export type ThemeName = (typeof THEMES)[number];

export interface Theme {
  readonly name: ThemeName;
  /** Colours of the theme, as six hexadecimal digits. */
  readonly ink: string;
  readonly heading: string;
  readonly accent: string;
  readonly link: string;
  readonly muted: string;
  readonly line: string;
  readonly panel: string;
  readonly tableHead: string;
  /** Fonts of PDF and PNG files, which embed them. */
  readonly body: string;
  readonly headingFace: string;
  /** Fonts of DOCX and PPTX, which readers have installed. */
  readonly officeBody: string;
  readonly officeHeading: string;
  readonly code: Readonly<Record<CodeColour, string>>;
}

const CODE: Theme["code"] = {
  keyword: "8A2BA8",
  string: "2B7A3E",
  comment: "7A8490",
  number: "B4560B",
  name: "1F5FBF",
  type: "9A6A00",
  meta: "6B7280",
  added: "22753A",
  removed: "B3261E",
};

const modern: Theme = {
  name: "modern",
  ink: "1F2933",
  heading: "102A43",
  accent: "2563EB",
  link: "1D4ED8",
  muted: "627D98",
  line: "D5DDE6",
  panel: "F4F6F9",
  tableHead: "EAF0F8",
  body: "Inter",
  headingFace: "Inter",
  officeBody: "Calibri",
  officeHeading: "Calibri",
  code: CODE,
};

const THEME_OF_NAME: Readonly<Record<ThemeName, Theme>> = {
  modern,
  classic: {
    ...modern,
    name: "classic",
    ink: "1C1917",
    heading: "1C1917",
    accent: "8C2F2B",
    link: "7A2622",
    muted: "6F665E",
    line: "D9D2C7",
    panel: "F7F4EF",
    tableHead: "F1ECE3",
    body: "Source Serif 4",
    headingFace: "Source Serif 4",
    officeBody: "Georgia",
    officeHeading: "Georgia",
  },
  plain: {
    ...modern,
    name: "plain",
    ink: "111111",
    heading: "111111",
    accent: "111111",
    link: "111111",
    muted: "666666",
    line: "CCCCCC",
    panel: "F5F5F5",
    tableHead: "EFEFEF",
    officeBody: "Arial",
    officeHeading: "Arial",
    code: {
      keyword: "111111",
      string: "444444",
      comment: "808080",
      number: "444444",
      name: "111111",
      type: "111111",
      meta: "666666",
      added: "111111",
      removed: "666666",
    },
  },
};

export function themeOf(name: ThemeName): Theme {
  return THEME_OF_NAME[name];
}
