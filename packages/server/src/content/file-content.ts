/** The bytes of a conversation's file, in any version, whole or in part. */
import { createHash } from "node:crypto";
import { isDocumentMime } from "@cairn/agent";
import { type ConversationKey, type ConversationStore, type FoundPath, linkFormat, linkFound } from "@cairn/store";
import { type BlobRef, blobOf, CairnError, canonicalPath, isInternalArtifact } from "@cairn/timeline";

export interface FileContent {
  readonly mime: string | null;
  readonly size: number;
  readonly version: number;
  /** The HTTP entity tag. Files with equal bytes have equal tags. */
  readonly tag: string;
  readonly read: (range?: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>;
}

/** Throws `not_found`, even for an internal file, and `bad_path` and `unsafe_path`. */
export async function findFile(
  store: ConversationStore,
  key: ConversationKey,
  path: string,
  version: number | null,
  citations: "links" | null = null,
): Promise<FileContent> {
  const found = await store.findByPath(key, `fi:${path}${version === null ? "" : `@v${version}`}`);
  const isShown = found !== null && !isInternalArtifact(found.state, found.artifact);
  const content = isShown ? await contentOf(store, key, found) : null;
  const format = found === null || citations === null ? null : linkFormat(found);
  if (found !== null && content !== null && format !== null)
    return linkedContent(content, await linkFound(store, key, found, format, content.read));
  if (content === null) throw new CairnError("not_found", `There is no file ${path} in this conversation.`, { path });
  return content;
}

/** The answer of a turn, as Markdown. Throws `not_found`. */
export async function findAnswer(
  store: ConversationStore,
  key: ConversationKey,
  turn: string,
  citations: "links" | null,
): Promise<FileContent> {
  await store.getConversation(key);
  const path = `ar:${turn}.assistant.completion`;
  const found = canonicalPath(path) === null ? null : await store.findByPath(key, path);
  const isShown = found !== null && !isInternalArtifact(found.state, found.artifact);
  const content = isShown ? await contentOf(store, key, found) : null;
  if (found === null || content === null)
    throw new CairnError("not_found", `There is no answer of ${turn} in this conversation.`, { turn });
  if (citations === null) return content;
  return linkedContent(content, await linkFound(store, key, found, "markdown", content.read));
}

/** A document with links has a tag of its own, because titles of its sources may change later. */
function linkedContent({ mime, version }: FileContent, bytes: Uint8Array): FileContent {
  const tag = `links-${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}`;
  return { mime, version, size: bytes.length, tag, read: readBytes(bytes) };
}

function readBytes(bytes: Uint8Array): FileContent["read"] {
  return async function* (range) {
    yield range === undefined ? bytes : bytes.subarray(range.start, range.end);
  };
}

async function contentOf(
  store: ConversationStore,
  key: ConversationKey,
  found: FoundPath,
): Promise<FileContent | null> {
  const { artifact, version } = found;
  const blob = found.blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null) ?? null;
  if (blob !== null) {
    const size = await store.statBlob(key, blob);
    return size === null ? null : { mime: artifact.mime, size, version, tag: blob, read: readBlob(blob) };
  }
  const bytes =
    artifact.base64 !== undefined
      ? Buffer.from(artifact.base64, "base64")
      : artifact.text !== undefined && !isDocumentMime(artifact.mime)
        ? Buffer.from(artifact.text)
        : null;
  if (bytes === null) return null;
  const position = found.blocks.at(-1)?.position ?? 0;
  return { mime: artifact.mime, size: bytes.length, version, tag: `block-${position}`, read: readBytes(bytes) };

  function readBlob(ref: BlobRef): FileContent["read"] {
    return (range) => store.readBlob(key, ref, range === undefined ? {} : { range });
  }
}
