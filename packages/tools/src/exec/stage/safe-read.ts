/** Reads files that a program has left: only regular files at their real paths, never links, pipes or devices. */
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { errorCode } from "@cairn/timeline";

export type LeftFile =
  | { readonly ok: true; readonly handle: FileHandle; readonly stat: BigIntStats }
  | { readonly ok: false; readonly reason: string };

/** `path` must be absolute and real up to the folder that the program could write. The caller closes the handle. */
export async function openLeft(path: string): Promise<LeftFile> {
  let handle: FileHandle;
  try {
    if ((await realpath(path)) !== path) return { ok: false, reason: "it is a link, or its path contains one" };
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { ok: false, reason: describe(error) };
  }
  const stat = await handle.stat({ bigint: true });
  if (stat.isFile()) return { ok: true, handle, stat };
  await handle.close();
  return { ok: false, reason: stat.isDirectory() ? "it is a folder" : "it is not a regular file" };
}

function describe(error: unknown): string {
  const code = errorCode(error) || "unknown";
  if (code === "ENOENT" || code === "ENOTDIR") return "file not produced";
  if (code === "ELOOP") return "it is a link, or its path contains one";
  return code === "EACCES" ? "it cannot be read" : `it cannot be read (${code})`;
}

/** A short text, cut if it is longer; null when there is none. */
export async function readLeftText(path: string, mostBytes: number): Promise<string | null> {
  const left = await openLeft(path);
  if (!left.ok) return null;
  try {
    const buffer = Buffer.alloc(mostBytes);
    const { bytesRead } = await left.handle.read(buffer, 0, mostBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await left.handle.close();
  }
}
