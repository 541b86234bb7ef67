/** The workspace of a conversation whose files are in a store. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { blobOf, CairnError, parsePath } from "@cairn/timeline";
import { type LatestFile, latestOfBytes } from "./latest-file.ts";
import { openWorkspace } from "./open-workspace.ts";
import { digestSize, wholeContent } from "./whole-content.ts";
import type { Workspace } from "./workspace.ts";

/** The owner of a workspace must be the only writer of the conversation, so each turn opens its own. */
export function openStoreWorkspace(store: ConversationStore, key: ConversationKey, root: string): Promise<Workspace> {
  return openWorkspace({
    root,
    key,
    findLatest: (path, options) => findLatest(store, key, path, options),
    putBlob: (source, options) => store.putBlob(key, source, options),
  });
}

/** The latest version of a file: its bytes, or its text if no bytes were stored. */
async function findLatest(
  store: ConversationStore,
  key: ConversationKey,
  path: string,
  options: { readonly signal?: AbortSignal },
): Promise<LatestFile | null> {
  const logical = `fi:${path}`;
  if (!canStandAt(logical)) return null;
  const found = await store.findByPath(key, logical, options);
  if (found === null) return null;
  const meta = found.blocks.findLast(({ block }) => block.meta?.digest !== undefined)?.block.meta;
  const blob = found.blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null);
  if (blob !== undefined && blob !== null)
    return { hash: blob, size: null, read: () => store.readBlob(key, blob, options) };
  const stored = wholeContent(found.artifact, meta);
  return stored === null ? { hash: null, size: digestSize(meta), read: null } : latestOfBytes(stored);
}

/** A program may give a file a name that no logical path can express, or that reads as a version of another file. */
function canStandAt(logical: string): boolean {
  try {
    return parsePath(logical).version === null;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return false;
  }
}
