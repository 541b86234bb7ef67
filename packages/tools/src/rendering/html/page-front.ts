/**
 * The front matter of a page, if the caller asks for it: the title, unless the page has a heading, the line under it,
 * and contents with links. Page numbers are left out, because a browser does not know them during layout.
 */
import type { DomDocument, DomElement } from "../../html/dom.ts";
import { labelsOf } from "../model/labels.ts";
import { collapseSpaces } from "../model/tidy-inlines.ts";
import type { DocumentOptions } from "../renderer/document-renderer.ts";

const CONTENTS = "h1,h2,h3";

export function addFront(page: DomDocument, options: DocumentOptions): void {
  const opening = page.body.querySelector("h1") ?? addTitle(page, options.title);
  const parts: DomElement[] = [];
  const byline = [options.author, options.date].filter((part) => part !== null).join("  ·  ");
  if (byline !== "") parts.push(element(page, "p", "cairn-byline", byline));
  const headings = [...page.body.querySelectorAll(CONTENTS)].filter((heading) => heading !== opening);
  if (options.toc && headings.length > 0) parts.push(contents(page, headings, options));
  if (parts.length === 0) return;
  if (opening === null) page.body.prepend(...parts);
  else opening.after(...parts);
}

function addTitle(page: DomDocument, title: string | null): DomElement | null {
  if (title === null) return null;
  const heading = element(page, "h1", "cairn-title", title);
  page.body.prepend(heading);
  return heading;
}

function contents(page: DomDocument, headings: readonly DomElement[], options: DocumentOptions): DomElement {
  const nav = element(page, "nav", "cairn-contents", "");
  nav.append(element(page, "p", "cairn-contents-title", labelsOf(options.language).contents));
  const highest = Math.min(...headings.slice(0, 1_000).map(levelOf));
  headings.forEach((heading, at) => {
    const id = heading.getAttribute("id") ?? `cairn-heading-${at + 1}`;
    heading.setAttribute("id", id);
    const line = element(page, "p", `cairn-level-${Math.max(0, levelOf(heading) - highest)}`, "");
    const link = element(page, "a", "", collapseSpaces(heading.textContent).trim());
    link.setAttribute("href", `#${id}`);
    line.append(link);
    nav.append(line);
  });
  return nav;
}

function levelOf(heading: DomElement): number {
  return Number(heading.localName.slice(1));
}

function element(page: DomDocument, name: string, className: string, text: string): DomElement {
  const made = page.createElement(name);
  if (className !== "") made.setAttribute("class", className);
  if (text !== "") made.textContent = text;
  return made;
}
