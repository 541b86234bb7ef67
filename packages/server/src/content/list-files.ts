/** The files of a conversation with every version of each, told from the journal in one pass. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { canonicalPath, type FileView, fileOfBlock } from "@cairn/timeline";
import { blocksAfter } from "./journal-blocks.ts";

interface FileVersion {
  readonly version: number;
  readonly turn_id: string | null;
  readonly ts: string | null;
  readonly size_bytes: number | null;
}

interface ListedFile extends FileView {
  readonly versions: readonly FileVersion[];
}

/** Blocks that hold a file; what only describes one says nothing they do not. */
const FILE_TYPES = new Set(["user.attachment", "react.tool.result"]);

export async function listFiles(store: ConversationStore, key: ConversationKey): Promise<readonly ListedFile[]> {
  const files = new Map<string, ListedFile>();
  for await (const { block, version } of blocksAfter(store, key, -1)) {
    const path = block.path === undefined || version === 0 ? null : canonicalPath(block.path);
    if (path === null || !path.startsWith("fi:") || !FILE_TYPES.has(block.type)) continue;
    const file = fileOfBlock(block, path, version);
    if (file === null) continue;
    const { size_bytes } = file;
    const made = { version: file.version, turn_id: block.turn_id ?? null, ts: block.ts ?? null, size_bytes };
    const earlier = files.get(path)?.versions.filter((other) => other.version !== made.version) ?? [];
    files.set(path, { ...file, versions: [...earlier, made] });
  }
  return [...files.values()];
}
