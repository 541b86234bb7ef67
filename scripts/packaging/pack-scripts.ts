/**
 * Large scripts of the web app are published in compressed form only. The server sends the compressed scripts unchanged
 * to browsers that accept brotli.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const MIN_BYTES = 50_000;

export function packScripts(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !path.endsWith(".js")) continue;
    const script = readFileSync(path);
    if (script.length < MIN_BYTES) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(script));
    rmSync(path);
  }
}
