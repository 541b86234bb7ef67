/** Files as a view lists them: the latest write to each path, without hosting addresses. */
import type { Block } from "../../block/block.ts";
import { type Digest, physicalPath } from "../../block/digest.ts";
import { canonicalPath, resolvePath } from "../../path/resolve.ts";
import type { FileView, TurnView } from "./turn-view.ts";

/** The fields of a block's kind (`kind/block-kind.ts`) that the view of a file needs. */
export interface FileKind {
  readonly attachment: "meta" | "content" | null;
  readonly file: (block: Block) => Digest;
  readonly isInternal: (block: Block) => boolean;
  readonly publicPart: (block: Block) => Block;
}

/** The file that a block contains or describes, at its canonical path; null if there is none or it is internal. */
export function viewFile(
  kind: FileKind,
  block: Block,
  path: string,
  version: number,
  sources_known: number,
): FileView | null {
  const digest = kind.file(block);
  if (digest.visibility === "internal" || kind.isInternal(block) || kind.publicPart(block) !== block) return null;
  const physical_path = resolvePath(path).physical ?? physicalPath(block) ?? null;
  const name = digest.filename ?? (physical_path ?? path).split("/").at(-1) ?? path;
  return {
    path,
    physical_path,
    name,
    mime: digest.mime ?? (kind.attachment === "meta" ? null : (block.mime ?? null)),
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

/** Adds an attachment to the message before it. */
export function addAttachment(
  turn: TurnView,
  kind: FileKind,
  { block, version }: { readonly block: Block; readonly version: number },
  sourcesKnown: number,
): TurnView {
  const path = block.path === undefined ? null : canonicalPath(block.path);
  const file = path === null ? null : viewFile(kind, block, path, version, sourcesKnown);
  if (file === null) return turn;
  const steering = turn.inputs.at(-1);
  if (steering === undefined || turn.attachments.some((other) => other.path === file.path))
    return { ...turn, attachments: putFile(turn.attachments, file) };
  const steered = { ...steering, attachments: putFile(steering.attachments, file) };
  return { ...turn, inputs: turn.inputs.with(-1, steered) };
}
