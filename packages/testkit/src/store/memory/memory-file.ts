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

/** A conversation of a tree, with the numbers that tell which rows it shares. */
type FileMember = FileContent & {
  readonly name: string;
  readonly isAsked: boolean;
  readonly listed: boolean;
  readonly number: number;
  readonly owners: readonly number[];
  readonly saved: readonly (readonly [string, number])[];
};

/** `members` are those of the conversation's tree. A single branch is written as an ordinary conversation. */
export function exportFile(
  conversation: MemoryConversation,
  members: readonly MemoryConversation[],
  data: MemoryData,
): string[] {
  const all = members.map((each): FileMember => {
    const { listed, number, owners, savedBefore } = each;
    const place = { name: each.key.conversation, isAsked: each === conversation, listed, number, owners };
    return { ...contentOf(each, data), ...place, saved: [...savedBefore] };
  });
  const { branch: _, ...origin } = conversation.forked_from ?? {};
  const only = { ...contentOf(conversation, data), forked_from: conversation.forked_from && origin };
  const body = JSON.stringify(all.length > 1 ? all : only);
  return [`${hashOf(body)}\n`, body];
}

function contentOf(conversation: MemoryConversation, data: MemoryData): FileContent {
  const { attributes, created_at, forked_from, journal, artifacts, last_activity_at, key } = conversation;
  const blobs = namedBlobs(journal)
    .sort()
    .map((ref) => Buffer.from(data.blobs.get(blobKey(key.tenant, ref))?.bytes ?? []).toString("base64"));
  return { attributes, created_at, last_activity_at, forked_from, journal, artifacts, blobs };
}

export function readFile(text: string): FileContent | FileMember[] {
  const [head, body] = [text.slice(0, 64), text.slice(65)];
  if (head !== hashOf(body)) throw storeError("corrupt", "The file is damaged.");
  return JSON.parse(body);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
