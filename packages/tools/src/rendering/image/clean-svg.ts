/**
 * Removes everything from an SVG that reaches outside it: scripts, foreign content, and references to anything but its
 * own parts and embedded pictures. SVG renderers open files that a picture names; this prevents it.
 */
import { DOMParser } from "linkedom";
import type { DomElement } from "../../html/dom.ts";

const REMOVED = "script,foreignObject,iframe,object,embed,audio,video,animate,set,animateMotion,animateTransform";
const INSIDE = /^\s*(?:#|data:image\/(?:png|jpe?g|gif|webp)[;,])/i;
const REFERENCES = /^(?:xlink:)?href$|^src$/i;
const URLS = /url\(\s*(["']?)(?!\s*["']?#)[^)]*\)/gi;

export function cleanSvg(svg: string): string | null {
  // Document types are removed, because they may define entities that expand endlessly.
  const plain = svg.replace(/<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>/gi, "").replace(/<\?(?!xml\s)[^>]*\?>/g, "");
  const root: unknown = new DOMParser().parseFromString(plain.trim(), "image/svg+xml").documentElement;
  if (!isSvg(root)) return null;
  for (const element of [...root.querySelectorAll(REMOVED)]) element.remove();
  for (const element of [root, ...root.querySelectorAll("*")]) cleanAttributes(element);
  for (const style of [...root.querySelectorAll("style")])
    style.textContent = style.textContent.replace(/@import[^;]*;?/gi, "").replace(URLS, "none");
  return root.outerHTML;
}

function cleanAttributes(element: DomElement): void {
  for (const { name, value } of [...element.attributes]) {
    if (/^on/i.test(name) || (REFERENCES.test(name) && !INSIDE.test(value))) element.removeAttribute(name);
    else if (/url\(/i.test(value)) element.setAttribute(name, value.replace(URLS, "none"));
  }
}

function isSvg(root: unknown): root is DomElement {
  return typeof root === "object" && root !== null && "localName" in root && root.localName === "svg";
}
