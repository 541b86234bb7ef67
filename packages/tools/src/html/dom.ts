/** The part of the DOM that documents need. linkedom's own types need the browser's types. */
import { parseWholePage } from "./whole-page.ts";

export interface DomNode {
  /** The DOM's type of the node: 1 for an element, 3 for text. */
  readonly nodeType: number;
  readonly childNodes: Iterable<DomNode>;
  readonly parentNode: DomElement | null;
  textContent: string;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly children: Iterable<DomElement>;
  readonly outerHTML: string;
  innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  after(...nodes: (DomNode | string)[]): void;
  append(...nodes: (DomNode | string)[]): void;
  prepend(...nodes: (DomNode | string)[]): void;
  replaceWith(...nodes: (DomNode | string)[]): void;
  remove(): void;
}

export interface DomText extends DomNode {
  readonly data: string;
  replaceWith(...nodes: (DomNode | string)[]): void;
}

export interface DomDocument {
  readonly head: DomElement;
  readonly body: DomElement;
  readonly documentElement: DomElement;
  createElement(name: string): DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  toString(): string;
}

/** Parses a whole page, even if the text contains only a part of one. */
export function parsePage(html: string): DomDocument {
  const page: unknown = parseWholePage(html);
  if (!isDocument(page)) throw new TypeError("linkedom returned no document");
  return page;
}

function isDocument(page: unknown): page is DomDocument {
  return typeof page === "object" && page !== null && typeof Reflect.get(page, "body") === "object";
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}

export function isText(node: DomNode): node is DomText {
  return node.nodeType === 3;
}
