/** Adapts the text of a page for a document: text direction, links, code highlighting, tables that fit. */
import type { DomDocument, DomElement } from "../../html/dom.ts";
import { isRightToLeft } from "../model/direction.ts";
import { highlightLines } from "../model/highlight.ts";
import { linkTarget } from "../model/links.ts";
import type { Theme } from "../renderer/theme.ts";
import { languageOf } from "./read-html.ts";

const PARAGRAPHS = "p,li,ul,ol,dd,dt,h1,h2,h3,h4,h5,h6,td,th,blockquote,figcaption,caption";
/** Maximum lines of code that stay on one page. */
const FEW_LINES = 20;
/** Maximum rows of a table that stay on one page. */
const FEW_ROWS = 9;

/** Sets the text direction of a page, unless the page declares one. */
export function directText(page: DomDocument): void {
  if (page.querySelector("[dir]") !== null) return;
  for (const element of page.querySelectorAll(PARAGRAPHS))
    if (isRightToLeft(element.textContent)) element.setAttribute("dir", "rtl");
}

/** Removes links to files beside the page, which would lead nowhere or into the reader's machine. */
export function keepLinks(page: DomDocument): void {
  for (const link of page.querySelectorAll("a[href],area[href]")) {
    const href = link.getAttribute("href") ?? "";
    if (!href.startsWith("#") && linkTarget(href, NO_ANCHORS) === null) link.removeAttribute("href");
  }
}

const NO_ANCHORS: ReadonlySet<string> = new Set();

export function colourCode(page: DomDocument, theme: Theme): void {
  for (const pre of page.querySelectorAll("pre")) {
    const code = pre.querySelector("code") ?? pre;
    const lines = highlightLines(code.textContent.replace(/\n$/, ""), languageOf(pre));
    if (lines.length <= FEW_LINES) addStyle(pre, "break-inside:avoid");
    if (code.querySelector("*") !== null) continue;
    code.textContent = "";
    lines.forEach((line, at) => {
      if (at > 0) code.append("\n");
      for (const { text, colour } of line)
        code.append(colour === null ? text : coloured(page, text, theme.code[colour]));
    });
  }
}

/** Keeps a line that introduces the next block on the same page. */
export function keepLeads(page: DomDocument): void {
  for (const paragraph of page.querySelectorAll("p"))
    if (/[:：]\s*$/.test(paragraph.textContent)) addStyle(paragraph, "break-after:avoid");
}

/** Makes tables fit: words longer than a column, or many columns, would push a table off the page. */
export function fitTables(page: DomDocument): void {
  for (const cell of page.querySelectorAll("td,th"))
    if (/\S{25}/.test(cell.textContent)) addStyle(cell, "overflow-wrap:anywhere;min-width:8em");
  for (const table of page.querySelectorAll("table")) {
    if ([...table.querySelectorAll("tr")].length <= FEW_ROWS) addStyle(table, "break-inside:avoid");
    const columns = [...(table.querySelector("tr")?.children ?? [])].length;
    const step = STEPS.find(({ from }) => columns >= from);
    if (step === undefined) continue;
    addStyle(table, `font-size:${step.size}em`);
    for (const cell of table.querySelectorAll("td,th")) addStyle(cell, `padding:.3em ${step.padding}em`);
  }
}

const STEPS = [
  { from: 22, size: 0.46, padding: 0.2 },
  { from: 15, size: 0.58, padding: 0.25 },
  { from: 10, size: 0.72, padding: 0.35 },
] as const;

function addStyle(element: DomElement, style: string): void {
  element.setAttribute("style", `${element.getAttribute("style") ?? ""};${style}`);
}

function coloured(page: DomDocument, text: string, colour: string): DomElement {
  const span = page.createElement("span");
  span.setAttribute("style", `color:#${colour}`);
  span.textContent = text;
  return span;
}
