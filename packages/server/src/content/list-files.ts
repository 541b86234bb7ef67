/** The files of conversations with every version, derived from their journals. */
import type { ListedFile } from "@cairn/api";
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import { canonicalPath, fileOfBlock, kindOf, sourcesKnownIn } from "@cairn/timeline";
import { blockOfEvent } from "./journal-blocks.ts";
import { JournalMemo } from "./journal-memo.ts";

interface Files {
  readonly byPath: Map<string, ListedFile>;
  /** The number of each turn. */
  readonly turns: Map<string, number>;
  /** The highest SID so far. */
  highestSid: number;
}

export class FileLists {
  readonly #memo: JournalMemo<Files>;

  constructor(store: ConversationStore) {
    this.#memo = new JournalMemo<Files>(store, {
      begin: () => ({ byPath: new Map(), turns: new Map(), highestSid: 0 }),
      add,
    });
  }

  async of(key: ConversationKey, signal?: AbortSignal): Promise<readonly ListedFile[]> {
    return [...(await this.#memo.read(key, signal)).byPath.values()];
  }
}

function add(files: Files, { seq, event }: StoredEvent): void {
  if (!("unknown" in event) && event.kind === "sources.merged")
    for (const { sid } of event.body.rows) files.highestSid = Math.max(files.highestSid, sid);
  if (!("unknown" in event) && event.kind === "turn.opened") files.turns.set(event.body.turn_id, files.turns.size + 1);
  const found = blockOfEvent(event, seq);
  if (found === null) return;
  const { block, version } = found;
  const path = block.path === undefined || version === 0 ? null : canonicalPath(block.path);
  if (path === null || !path.startsWith("fi:") || !kindOf(block.type).holdsFile) return;
  const file = fileOfBlock(block, path, version, sourcesKnownIn(block.meta) ?? files.highestSid);
  if (file === null) return;
  const { size_bytes } = file;
  const turn_id = block.turn_id ?? null;
  const turn = turn_id === null ? null : (files.turns.get(turn_id) ?? null);
  const made = { version: file.version, turn_id, turn, ts: block.ts ?? null, size_bytes };
  const earlier = files.byPath.get(path)?.versions.filter((other) => other.version !== made.version) ?? [];
  files.byPath.set(path, { ...file, versions: [...earlier, made] });
}
