/** The files of a corpus: those with a text extension, without hidden ones and links. */
import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentKind } from "../extract/page.ts";

export interface ScannedFile {
  /** Relative to the folder, with `/` as separator. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface Scan {
  readonly files: readonly ScannedFile[];
  /** Folders and files that could not be read, one sentence each. */
  readonly problems: readonly string[];
}

const KIND_OF_EXTENSION: ReadonlyMap<string, DocumentKind> = new Map([
  ...["md", "markdown", "mdx"].map((ending) => [ending, "markdown"] as const),
  ...["html", "htm", "xhtml"].map((ending) => [ending, "html"] as const),
  ...["txt", "text", "log", "csv", "tsv", "rst", "adoc", "org", "tex", "xml", "yaml", "yml", "json", "jsonl"].map(
    (ending) => [ending, "text"] as const,
  ),
  ["pdf", "pdf"],
  ...["docx", "xlsx", "pptx", "odt", "epub"].map((ending) => [ending, "zip"] as const),
]);

const MAX_FILES = 200_000;
const AT_ONCE = 32;

export function kindOfFile(path: string): DocumentKind | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? null : (KIND_OF_EXTENSION.get(name.slice(dot + 1).toLowerCase()) ?? null);
}

/** Throws when the folder itself cannot be read, which is different from an empty corpus. */
export async function scanFolder(root: string, leftOut: readonly string[], signal: AbortSignal): Promise<Scan> {
  const files: ScannedFile[] = [];
  const problems: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const found = await readFolder(root, folder, problems);
    const paths: string[] = [];
    for (const entry of found) {
      if (entry.name.startsWith(".")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!leftOut.includes(path)) folders.push(path);
      } else if (entry.isFile() && kindOfFile(path) !== null) paths.push(path);
    }
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const looked = await Promise.all(paths.slice(at, at + AT_ONCE).map((path) => look(root, path)));
      for (const file of looked) if (file !== null) files.push(file);
    }
    if (files.length > MAX_FILES) {
      problems.push(`The corpus has more than ${MAX_FILES} files; the others are left out.`);
      return { files: files.slice(0, MAX_FILES), problems };
    }
  }
  return { files, problems };
}

async function readFolder(root: string, folder: string, problems: string[]): Promise<Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === "") throw error;
    problems.push(`The folder ${folder} cannot be read. Check its permissions.`);
    return [];
  }
}

/** Reads a file's size and time; null if it no longer exists. */
async function look(root: string, path: string): Promise<ScannedFile | null> {
  try {
    const found = await lstat(join(root, path));
    return found.isFile() ? { path, size: found.size, mtimeMs: found.mtimeMs } : null;
  } catch {
    return null; // It was removed after the listing.
  }
}
