/** Styles of a Word document, so that editors can change a style instead of every paragraph. Sizes are half points. */
import type { IStylesOptions } from "docx";
import type { DocumentOptions } from "../renderer/document-renderer.ts";
import type { Theme } from "../renderer/theme.ts";

export const CODE_FACE = "Consolas";

const HEADINGS = [
  { size: 32, before: 420, after: 140 },
  { size: 26, before: 340, after: 120 },
  { size: 23, before: 280, after: 100 },
  { size: 22, before: 240, after: 80 },
  { size: 21, before: 220, after: 80 },
  { size: 21, before: 220, after: 80 },
] as const;

export function docxStyles(theme: Theme, { language }: DocumentOptions): IStylesOptions {
  const heading = (level: number) => {
    const { size, before, after } = HEADINGS[level - 1] ?? HEADINGS[5];
    return {
      run: { font: theme.officeHeading, size, bold: true, color: level >= 5 ? theme.muted : theme.heading },
      paragraph: { spacing: { before, after }, keepNext: true, keepLines: true },
    };
  };
  return {
    default: {
      document: {
        run: { font: theme.officeBody, size: 22, color: theme.ink, language: { value: language } },
        paragraph: { spacing: { after: 140, line: 276, lineRule: "auto" } },
      },
      title: {
        run: { font: theme.officeHeading, size: 48, bold: true, color: theme.heading },
        paragraph: { spacing: { before: 0, after: 120, line: 252, lineRule: "auto" } },
      },
      heading1: heading(1),
      heading2: heading(2),
      heading3: heading(3),
      heading4: heading(4),
      heading5: heading(5),
      heading6: heading(6),
      hyperlink: { run: { color: theme.link, underline: { color: theme.link } } },
      footnoteText: {
        run: { size: 18, color: theme.ink },
        paragraph: { spacing: { after: 60, line: 240, lineRule: "auto" } },
      },
      listParagraph: { paragraph: { spacing: { after: 80 } } },
    },
    paragraphStyles: [
      {
        id: "Byline",
        name: "Byline",
        basedOn: "Normal",
        run: { color: theme.muted, size: 21 },
        paragraph: { spacing: { after: 320 } },
      },
      {
        id: "Code",
        name: "Code",
        basedOn: "Normal",
        run: { font: CODE_FACE, size: 18, noProof: true },
        paragraph: {
          spacing: { before: 120, after: 220, line: 252, lineRule: "auto" },
          indent: { left: 120, right: 120 },
          shading: { type: "clear", fill: theme.panel },
          border: Object.fromEntries(
            ["top", "bottom", "left", "right"].map((side) => [
              side,
              { style: "single", size: 4, color: theme.line, space: 6 },
            ]),
          ),
        },
      },
      {
        id: "Caption",
        name: "Caption",
        basedOn: "Normal",
        run: { color: theme.muted, size: 19 },
        paragraph: { alignment: "center", spacing: { before: 60, after: 240 } },
      },
      {
        id: "TableText",
        name: "Table Text",
        basedOn: "Normal",
        run: { size: 20 },
        paragraph: { spacing: { before: 40, after: 40, line: 252, lineRule: "auto" } },
      },
      {
        id: "Source",
        name: "Source",
        basedOn: "Normal",
        run: { size: 20 },
        paragraph: { indent: { left: 480, hanging: 480 }, spacing: { after: 100, line: 252, lineRule: "auto" } },
      },
    ],
  };
}
