/**
 * Serves the web app's files. Files with a hash in their names never change and are cached forever. Any other address
 * returns the app's page. Only files that existed at the start are served, so no request causes a lookup on disk. Files
 * are compressed if the client accepts it, because a first visit loads mostly scripts. The published package contains
 * large scripts only in compressed form (`app.js.br`, served as `app.js`).
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import { diagramFrame } from "./diagram-frame.ts";
import type { App } from "./endpoint.ts";
import { hasTag } from "./entity-tag.ts";
import { PREVIEW_HEADERS, PREVIEW_PAGE } from "./preview-frame.ts";

const MIME: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".pdf": "application/pdf",
  ".wasm": "application/wasm",
};

/** The name ending of a file that is compressed on disk. */
const PACKED = ".br";

/** The folder in which Vite puts files whose names contain a hash of their content. */
const HASHED = "/assets/";

/** Scripts for frames with an opaque origin, which is another origin than that of every server. */
const FOR_FRAMES = "/diagram/";

/** Types that compress well; pictures and fonts are already compressed. */
const SQUEEZED = /^(?:text\/|application\/(?:json|manifest|wasm)|image\/svg)/;

/** Fast compression, because the first visitor waits for it. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const squeeze = {
  br: promisify<Uint8Array, typeof QUICK, Buffer>(brotliCompress),
  gzip: promisify<Uint8Array, Buffer>(gzip),
};
const ENCODINGS = {
  br: (bytes: Uint8Array) => squeeze.br(bytes, QUICK),
  gzip: (bytes: Uint8Array) => squeeze.gzip(bytes),
};
type Encoding = keyof typeof ENCODINGS;

const unsqueeze = promisify<Uint8Array, Buffer>(brotliDecompress);

interface StaticFile {
  readonly path: string;
  /** Whether the file on disk is compressed with brotli. */
  readonly isPacked: boolean;
  readonly mime: string;
  readonly cacheControl: string;
  /** The content and its compressed forms. Each form is made on its first request. */
  readonly contents: Map<Encoding | null, Promise<StaticContent>>;
}

interface StaticContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

/** `prefix`: the path below which the app is served, to which the addresses in its page are relative. */
export function serveFiles(app: App, folder: string, prefix: string): void {
  const files = listFiles(folder);
  const index = files.get("/index.html");
  app.get("/preview", (context) => context.body(PREVIEW_PAGE, 200, PREVIEW_HEADERS));
  app.get("/preview/diagram", (context) => {
    const { page, headers } = diagramFrame();
    return context.body(page, 200, headers);
  });
  app.get("*", async (context) => {
    const { path } = context.req;
    const file = files.get(path) ?? (path.startsWith(HASHED) ? undefined : index);
    if (file === undefined) return context.notFound();
    const canSqueeze = SQUEEZED.test(file.mime);
    const encoding = canSqueeze ? encodingOf(context.req.header("accept-encoding") ?? "") : null;
    const { bytes, tag } = await contentOf(file, encoding, file === index ? prefix : null);
    const headers = {
      "content-type": file.mime,
      "cache-control": file.cacheControl,
      etag: tag,
      ...(path.startsWith(FOR_FRAMES) ? { "cross-origin-resource-policy": "cross-origin" } : {}),
      ...(canSqueeze ? { vary: "accept-encoding" } : {}),
      ...(encoding === null ? {} : { "content-encoding": encoding }),
    };
    if (hasTag(context.req.header("if-none-match"), tag)) return context.body(null, 304, headers);
    return context.body(bytes, 200, headers);
  });
}

/** The best encoding that a browser accepts; null for none. */
function encodingOf(accepted: string): Encoding | null {
  const named = accepted.split(",").flatMap((item) => {
    const [name = "", ...facts] = item.split(";").map((part) => part.trim().toLowerCase());
    return facts.some((fact) => /^q=0(?:\.0*)?$/.test(fact)) ? [] : [name];
  });
  if (named.includes("br")) return "br";
  return named.includes("gzip") ? "gzip" : null;
}

function contentOf(file: StaticFile, encoding: Encoding | null, prefix: string | null): Promise<StaticContent> {
  const known = file.contents.get(encoding);
  if (known !== undefined) return known;
  const made = makeContent(file, encoding, prefix);
  file.contents.set(encoding, made);
  // A failed read is not cached, so that the next request retries it.
  made.catch(() => file.contents.delete(encoding));
  return made;
}

async function makeContent({ path, isPacked }: StaticFile, encoding: Encoding | null, prefix: string | null) {
  const read = await readFile(path);
  if (isPacked && encoding === "br") return describeContent(read);
  const stored = isPacked ? await unsqueeze(read) : read;
  const plain = prefix === null ? stored : Buffer.from(stored.toString().replaceAll('="./', `="${prefix}/`));
  return describeContent(encoding === null ? plain : await ENCODINGS[encoding](plain));
}

function describeContent(content: Uint8Array): StaticContent {
  const bytes = new Uint8Array(content);
  return { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
}

function listFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const isPacked = entry.name.endsWith(PACKED);
    const name = isPacked ? entry.name.slice(0, -PACKED.length) : entry.name;
    const address = `/${relative(folder, join(entry.parentPath, name)).split(sep).join("/")}`;
    const isHashed = address.startsWith(HASHED);
    files.set(address, {
      path,
      isPacked,
      mime: MIME[extname(name).toLowerCase()] ?? "application/octet-stream",
      cacheControl: isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      contents: new Map(),
    });
  }
  return files;
}
