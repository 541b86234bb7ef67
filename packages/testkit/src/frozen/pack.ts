/**
 * A compressed file that contains several files: one line of JSON that lists the files, then their bytes one after the
 * other. The compression window is so large that content that two files share is stored once, even if the files are far
 * apart.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** 128 MB, the largest window that decompressors accept by default. */
const WINDOW_LOG = 27;
const LEVEL = 19;

export type PackedFiles = ReadonlyMap<string, Buffer>;

export function pack(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const list = [...files].map(([path, bytes]) => ({ path, bytes: bytes.length }));
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...files.values()]);
  return zstdCompressSync(content, {
    params: {
      [constants.ZSTD_c_compressionLevel]: LEVEL,
      [constants.ZSTD_c_windowLog]: WINDOW_LOG,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    },
  });
}

export function unpack(packed: Uint8Array): PackedFiles {
  const content = zstdDecompressSync(packed);
  let at = content.indexOf("\n") + 1;
  const list = JSON.parse(content.toString("utf8", 0, at)) as readonly { path: string; bytes: number }[];
  return new Map(
    list.map(({ path, bytes }) => {
      at += bytes;
      return [path, content.subarray(at - bytes, at)];
    }),
  );
}

/** Every file below a folder, by its relative path. */
export function readFolder(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).sort();
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

export function writeFolder(folder: string, files: PackedFiles): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
