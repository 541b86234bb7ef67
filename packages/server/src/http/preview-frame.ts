/**
 * The frame in which the app shows an HTML file. This frame has an opaque origin and runs only its own script, which
 * puts the file into a second frame. The second frame has the same content security policy: it runs no scripts, sends
 * no requests and submits no forms. The app passes the file with `postMessage`, so no URL contains an access token.
 */
import { createHash } from "node:crypto";
import { frameHeaders } from "./frame-headers.ts";

const SCRIPT = `addEventListener("message", ({ data, source }) => {
  if (source === parent && typeof data === "string") document.querySelector("iframe").srcdoc = data;
});
parent.postMessage("ready", "*");`;

export const PREVIEW_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Preview</title>
<style>html,body,iframe{margin:0;border:0;width:100%;height:100%;background:#fff}iframe{display:block}</style>
<iframe sandbox title="Content"></iframe><script>${SCRIPT}</script></html>`;

const HASH = createHash("sha256").update(SCRIPT).digest("base64");

export const PREVIEW_HEADERS = frameHeaders(`sha256-${HASH}`, { fonts: true, cacheControl: "no-cache" });
