/** `/files`: copies attached and written files to a folder where a person can open them. */
import { join } from "node:path";
import { openStoreWorkspace } from "@cairn/agent";
import { type ConversationKey, type ConversationStore, everyItem } from "@cairn/store";

export interface ListedFile {
  readonly path: string;
  readonly local: string;
}

const MAX_FILES = 10_000;

export async function listFiles(
  store: ConversationStore,
  key: ConversationKey,
  folder: string,
): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const workspace = await openStoreWorkspace(store, key, folder);
  for await (const { view, turn_id, closed_seq } of everyItem((place) => store.turns(key, place))) {
    // Existing files are left unchanged, because a process that runs the open turn may have written newer ones.
    const lying = new Set(closed_seq === null ? await workspace.list(turn_id, MAX_FILES) : []);
    for (const { path, physical_path } of [...view.attachments, ...view.files])
      if (physical_path !== null && (lying.has(physical_path) || (await workspace.pull(physical_path))))
        files.push({ path, local: join(folder, physical_path) });
  }
  return files;
}
