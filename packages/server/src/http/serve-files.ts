/**
 * The web app's files. Those whose names hold a hash never change and are kept for good; any other address is the app
 * itself, which finds out what to show. Only files that were there at the start are served: nothing is looked up on
 * disk by what a request says.
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import type { App } from "./endpoint.ts";

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

/** Vite puts what it names by hash there. */
const HASHED = "/assets/";

interface StaticFile {
  readonly path: string;
  readonly mime: string;
  readonly cacheControl: string;
  content: Uint8Array<ArrayBuffer> | null;
}

export function serveFiles(app: App, folder: string): void {
  const files = listFiles(folder);
  const index = files.get("/index.html");
  app.get("*", (context) => {
    const { path } = context.req;
    const file = files.get(path) ?? (path.startsWith(HASHED) ? undefined : index);
    if (file === undefined) return context.notFound();
    file.content ??= new Uint8Array(readFileSync(file.path));
    return context.body(file.content, 200, { "content-type": file.mime, "cache-control": file.cacheControl });
  });
}

function listFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).join("/")}`;
    const isHashed = address.startsWith(HASHED);
    files.set(address, {
      path,
      mime: MIME[extname(entry.name).toLowerCase()] ?? "application/octet-stream",
      cacheControl: isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      content: null,
    });
  }
  return files;
}
