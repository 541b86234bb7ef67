/** The workspace of a conversation whose files a store keeps. */
import type { ByteSource, ConversationKey, ConversationStore } from "@cairn/store";
import { blobOf } from "@cairn/timeline";
import { openWorkspace } from "./open-workspace.ts";
import { wholeContent } from "./whole-content.ts";
import type { Workspace } from "./workspace.ts";

export function openStoreWorkspace(store: ConversationStore, key: ConversationKey, root: string): Promise<Workspace> {
  return openWorkspace({
    root,
    key,
    pullFile: (path, options) => findFile(store, key, path, options),
    putBlob: (source, options) => store.putBlob(key, source, options),
  });
}

/** The latest version of a file: its bytes, or its text where no bytes were stored. */
async function findFile(
  store: ConversationStore,
  key: ConversationKey,
  path: string,
  options: { readonly signal?: AbortSignal },
): Promise<ByteSource | null> {
  const found = await store.findByPath(key, `fi:${path}`, options);
  if (found === null) return null;
  const blob = found.blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null);
  if (blob !== undefined) return store.readBlob(key, blob, options);
  const meta = found.blocks.findLast(({ block }) => block.meta?.digest !== undefined)?.block.meta;
  const stored = wholeContent(found.artifact, meta);
  return stored === null ? null : [stored];
}
