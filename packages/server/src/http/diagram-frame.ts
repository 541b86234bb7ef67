/**
 * The frame that draws a Mermaid file. The frame has an opaque origin and is never visible. Only its own two scripts
 * run, because they carry a random number. The app passes the text of the file with `postMessage` and receives an SVG,
 * which it shows as a picture.
 */
import { randomBytes } from "node:crypto";
import { frameHeaders } from "./frame-headers.ts";

/** The path of the library relative to `/preview/diagram`. */
const LIBRARY = "../diagram/mermaid.js";

/** Settings that a file cannot change. */
const FIXED = {
  startOnLoad: false,
  securityLevel: "strict",
  maxTextSize: 50_000,
  maxEdges: 500,
  suppressErrorRendering: true,
  htmlLabels: false,
  // The small build of the library does not contain ELK, its default layout engine.
  layout: "dagre",
  fontFamily: "sans-serif",
  logLevel: 5,
  themeCSS: "",
  dompurifyConfig: {},
};

const SCRIPT = `addEventListener("message", async ({ data, source }) => {
  if (source !== parent || typeof data?.text !== "string") return;
  try {
    const fixed = ${JSON.stringify(FIXED)};
    const theme = data.isDark ? "dark" : "default";
    mermaid.initialize({ ...fixed, secure: ["secure", ...Object.keys(fixed)], theme });
    const { svg } = await mermaid.render("diagram", data.text);
    const drawing = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
    const [, , width, height] = (drawing.getAttribute("viewBox") ?? "").split(/[ ,]+/);
    if (width > 0 && height > 0) {
      drawing.setAttribute("width", width);
      drawing.setAttribute("height", height);
      drawing.style.maxWidth = "";
    }
    const words = [...drawing.querySelectorAll(":scope > title, :scope > desc")].map((each) => each.textContent.trim());
    parent.postMessage({ svg: new XMLSerializer().serializeToString(drawing), label: words.join(". ") }, "*");
  } catch (error) {
    parent.postMessage({ problem: String(error?.message ?? error) }, "*");
  }
});
if (typeof mermaid === "undefined") parent.postMessage({ problem: "The library could not be loaded" }, "*");
else parent.postMessage("ready", "*");`;

export function diagramFrame(): { readonly page: string; readonly headers: Readonly<Record<string, string>> } {
  const nonce = randomBytes(18).toString("base64");
  return {
    page: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagram</title><body>
<script nonce="${nonce}" src="${LIBRARY}"></script><script nonce="${nonce}">${SCRIPT}</script></body></html>`,
    headers: frameHeaders(`nonce-${nonce}`, { cacheControl: "no-store" }),
  };
}
