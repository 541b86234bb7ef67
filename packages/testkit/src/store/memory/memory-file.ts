/** The reference store's own export file: a hash, followed by one JSON text. */
import { createHash } from "node:crypto";
import { storeError } from "@cairn/store";
import { blobKey } from "./memory-blob-store.ts";
import type { MemoryConversation, MemoryData } from "./memory-data.ts";
import { namedBlobs } from "./memory-info.ts";

type FileContent = Pick<
  MemoryConversation,
  "attributes" | "created_at" | "last_activity_at" | "forked_from" | "journal" | "artifacts"
> & { readonly blobs: readonly string[] };

export function exportFile(conversation: MemoryConversation, data: MemoryData): string[] {
  const { attributes, created_at, forked_from, journal, artifacts, last_activity_at, key } = conversation;
  const blobs = namedBlobs(journal)
    .sort()
    .map((ref) => Buffer.from(data.blobs.get(blobKey(key.tenant, ref))?.bytes ?? []).toString("base64"));
  const content: FileContent = { attributes, created_at, last_activity_at, forked_from, journal, artifacts, blobs };
  const body = JSON.stringify(content);
  return [`${hashOf(body)}\n`, body];
}

export function readFile(text: string): FileContent {
  const [head, body] = [text.slice(0, 64), text.slice(65)];
  if (head !== hashOf(body)) throw storeError("corrupt", "The file is damaged.");
  return JSON.parse(body);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
