/**
 * Files as responses. Files of conversations are not trusted, so none is sent with a type that a browser could execute.
 * Pictures, sound, PDF and plain text are displayed. All other types, such as HTML and SVG, are only downloaded. A
 * sandbox separates all files from this origin.
 */
import { CairnError } from "@cairn/timeline";
import type { FileContent } from "../content/file-content.ts";
import type { ServerContext } from "./endpoint.ts";
import { hasTag } from "./entity-tag.ts";
import { streamBody } from "./stream-body.ts";

const SHOWN = new Set([
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"],
  ...["audio/mpeg", "audio/ogg", "audio/wav", "video/mp4", "video/webm", "application/pdf"],
]);

const TEXT = /^(?:text\/|application\/(?:json|x-ndjson|yaml|toml|xml)$)/;
const NEVER_SHOWN = /html|svg|xml|javascript|ecmascript|xslt|mathml/i;

/** The media type for a response. Text that no browser executes is sent as plain text. */
export function sentAs(mime: string | null) {
  const bare = mime?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (SHOWN.has(bare)) return { type: bare, inline: true };
  if (TEXT.test(bare)) return { type: "text/plain; charset=utf-8", inline: !NEVER_SHOWN.test(bare) };
  return { type: "application/octet-stream", inline: false };
}

/** PDF viewers of browsers do not work inside a sandbox, and a PDF cannot access the page around it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'";

export function sendFile({ req, get }: ServerContext, file: FileContent, name: string): Response {
  const request = req.raw;
  const cutOff = get("cutOff");
  const { type, inline } = sentAs(file.mime);
  const headers = new Headers({
    "content-type": type,
    "content-disposition": `${inline ? "inline" : "attachment"}; ${dispositionName(name)}`,
    "content-security-policy": type === "application/pdf" ? POLICY : `${POLICY}; sandbox`,
    "x-frame-options": "SAMEORIGIN",
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    etag: `"${file.tag}"`,
  });
  if (hasTag(request.headers.get("if-none-match"), `"${file.tag}"`))
    return new Response(null, { status: 304, headers });
  // A client that continues a download gets the whole file if the file has changed.
  const has = request.headers.get("if-range");
  const asked = has === null || has === `"${file.tag}"` ? request.headers.get("range") : null;
  const range = readRange(asked, file.size);
  if (range === null) {
    headers.set("content-length", String(file.size));
    return new Response(streamBody(file.read(), { cutOff }), { headers });
  }
  headers.set("content-length", String(range.end - range.start));
  headers.set("content-range", `bytes ${range.start}-${range.end - 1}/${file.size}`);
  return new Response(streamBody(file.read(range), { cutOff }), { status: 206, headers });
}

/** One range, or null for the whole file. A request for several ranges may be answered with the whole file. */
function readRange(header: string | null, size: number): { readonly start: number; readonly end: number } | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size : Math.min(size, Number(to) + 1);
  if (start >= end)
    throw new CairnError("range_not_satisfiable", `The requested range is outside the file, which has ${size} bytes.`, {
      size,
    });
  return { start, end };
}

/** A file name in two forms: an ASCII fallback for old programs, and the encoded name for others. */
function dispositionName(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
