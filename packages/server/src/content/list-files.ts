/** The files of conversations with every version of each, told from their journals. */
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import { canonicalPath, type FileView, fileOfBlock } from "@cairn/timeline";
import { blockOfEvent } from "./journal-blocks.ts";
import { JournalMemo } from "./journal-memo.ts";

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

type Files = Map<string, ListedFile>;

export class FileLists {
  readonly #memo: JournalMemo<Files>;

  constructor(store: ConversationStore) {
    this.#memo = new JournalMemo<Files>(store, { begin: () => new Map(), add });
  }

  async of(key: ConversationKey, signal?: AbortSignal): Promise<readonly ListedFile[]> {
    return [...(await this.#memo.read(key, signal)).values()];
  }
}

function add(files: Files, { seq, event }: StoredEvent): void {
  const found = blockOfEvent(event, seq);
  if (found === null) return;
  const { block, version } = found;
  const path = block.path === undefined || version === 0 ? null : canonicalPath(block.path);
  if (path === null || !path.startsWith("fi:") || !FILE_TYPES.has(block.type)) return;
  const file = fileOfBlock(block, path, version);
  if (file === null) return;
  const { size_bytes } = file;
  const made = { version: file.version, turn_id: block.turn_id ?? null, ts: block.ts ?? null, size_bytes };
  const earlier = files.get(path)?.versions.filter((other) => other.version !== made.version) ?? [];
  files.set(path, { ...file, versions: [...earlier, made] });
}
