/** `/files`: what was attached and written in a conversation, put where a person can open it. */
import { join } from "node:path";
import { openStoreWorkspace } from "@cairn/agent";
import type { ConversationKey, ConversationStore, StoredTurn } from "@cairn/store";

export interface ListedFile {
  readonly path: string;
  readonly local: string;
}

export async function listFiles(
  store: ConversationStore,
  key: ConversationKey,
  folder: string,
): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const workspace = await openStoreWorkspace(store, key, folder);
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { items: readonly StoredTurn[]; next: string | null } = await store.turns(
      key,
      cursor === undefined ? {} : { cursor },
    );
    for (const { view } of page.items)
      for (const { path, physical_path } of [...view.attachments, ...view.files])
        if (physical_path !== null && (await workspace.pull(physical_path)))
          files.push({ path, local: join(folder, physical_path) });
    cursor = page.next;
  }
  return files;
}
