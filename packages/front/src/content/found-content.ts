/** Reads the bytes of the content that was found at a logical path. */
import { isDocumentMime, openStoreWorkspace } from "@cairn/agent";
import type { ConversationKey, ConversationStore, FoundPath } from "@cairn/store";
import { blobOf, CairnError } from "@cairn/timeline";

const MEDIA = /^(?:image\/(?!svg)|audio\/|video\/)/i;

/** Whether the content is a stored file that may contain text. */
export function isStoredText({ artifact: { mime }, blocks }: FoundPath): boolean {
  const isStored = blocks.some(({ block }) => blobOf(block) !== null);
  return isStored && !isDocumentMime(mime) && !MEDIA.test(mime ?? "");
}

/** The bytes: from the store for a stored file, else from the block, else from the workspace (`folder`). */
export async function* foundContent(
  store: ConversationStore,
  key: ConversationKey,
  { artifact, blocks }: FoundPath,
  folder: string,
): AsyncGenerator<Uint8Array> {
  const blob = blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null);
  if (blob !== undefined && blob !== null) yield* store.readBlob(key, blob);
  else if (artifact.base64 !== undefined) yield Buffer.from(artifact.base64, "base64");
  else if (artifact.text !== undefined) yield Buffer.from(artifact.text);
  else {
    const workspace = await openStoreWorkspace(store, key, folder);
    const bytes = artifact.physical_path === null ? null : await workspace.read(artifact.physical_path);
    if (bytes === null)
      throw new CairnError(
        "not_found",
        `The content of ${artifact.path} was not stored. Only its description is available.`,
        {
          path: artifact.path,
        },
      );
    yield bytes;
  }
}
