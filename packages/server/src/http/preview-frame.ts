/**
 * The frame in which the app shows an HTML file. It has an opaque origin and runs one script of its own, which puts the
 * file into a second frame. There, the policy of this response holds as well: no script, no request, no form. The app
 * sends the file as a message, so that no token is part of an address.
 */
import { createHash } from "node:crypto";

const SCRIPT = `addEventListener("message", ({ data, source }) => {
  if (source === parent && typeof data === "string") document.querySelector("iframe").srcdoc = data;
});
parent.postMessage("ready", "*");`;

export const PREVIEW_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title>
<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;background:#fff}iframe{display:block}</style>
<iframe sandbox title="Content"></iframe><script>${SCRIPT}</script></html>`;

export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src 'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; "),
  "x-frame-options": "SAMEORIGIN",
  "x-dns-prefetch-control": "off",
  "cache-control": "no-cache",
};
