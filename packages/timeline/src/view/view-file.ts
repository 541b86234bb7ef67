/** Files as a view lists them: the latest write to each path, without hosting addresses. */
import type { Block } from "../block/block.ts";
import { attachmentDigest, fileDigest, physicalPath } from "../block/digest.ts";
import { resolvePath } from "../path/resolve.ts";
import { isPublic } from "../visibility/public-block.ts";
import type { FileView } from "./turn-view.ts";

/** The file that a block contains or describes, at its canonical path; null if there is none or it is internal. */
export function fileOfBlock(block: Block, path: string, version: number, sources_known: number): FileView | null {
  const digest = block.type === "user.attachment.meta" ? attachmentDigest(block) : fileDigest(block);
  if (digest.visibility === "internal" || !isPublic(block)) return null;
  const physical_path = resolvePath(path).physical ?? physicalPath(block) ?? null;
  const name = digest.filename ?? (physical_path ?? path).split("/").at(-1) ?? path;
  return {
    path,
    physical_path,
    name,
    mime: digest.mime ?? (block.type === "user.attachment.meta" ? null : (block.mime ?? null)),
    size_bytes: digest.size_bytes ?? null,
    version: Math.max(1, version),
    kind: digest.kind ?? null,
    hosted: typeof block.meta?.hosted_uri === "string",
    sources_known,
  };
}

/** A later write replaces an earlier one; a new file is appended. */
export function putFile(files: readonly FileView[], file: FileView): readonly FileView[] {
  const index = files.findIndex(({ path }) => path === file.path);
  return index < 0 ? [...files, file] : files.with(index, file);
}
