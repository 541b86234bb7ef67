/** Parses a page as browsers do, with a head and a body; linkedom misplaces content if their tags are missing. */
import { parseHTML } from "linkedom";

export type PageDocument = ReturnType<typeof parseHTML>["document"];
type PageNode = PageDocument["childNodes"][number];

const IN_HEAD: ReadonlySet<string> = new Set([
  ...["base", "basefont", "bgsound", "link", "meta", "noscript", "script", "style", "template", "title"],
]);
const ELEMENT = 1;
const TEXT = 3;

export function parseWholePage(html: string): PageDocument {
  const hasRoot = /<html[\s>]/i.test(html);
  const { document } = parseHTML(
    hasRoot ? html : `<!doctype html><html>${html.replace(/^\s*<!doctype[^>]*>/i, "")}</html>`,
  );
  const root = document.documentElement;
  const [head, body] = [childOf(document, "head"), childOf(document, "body")];
  // `loose` contains the content of a head that was never closed, and content outside of head and body.
  const loose = [...head.childNodes, ...[...root.childNodes].filter((node) => node !== head && node !== body)];
  let isBody = false;
  const before: PageNode[] = [];
  for (const node of loose) {
    isBody ||= !belongsInHead(node);
    if (isBody) before.push(node);
    else head.append(node);
  }
  body.prepend(...before);
  return document;
}

function belongsInHead(node: PageNode): boolean {
  if (node.nodeType === TEXT) return (node.textContent ?? "").trim() === "";
  return node.nodeType !== ELEMENT || IN_HEAD.has(nameOf(node));
}

function childOf(document: PageDocument, name: "head" | "body") {
  const root = document.documentElement;
  const found = [...root.children].find((each) => each.localName === name);
  if (found !== undefined) return found;
  const made = document.createElement(name);
  if (name === "head") root.prepend(made);
  else root.append(made);
  return made;
}

function nameOf(node: PageNode): string {
  return "localName" in node ? String(node.localName).toLowerCase() : "";
}
