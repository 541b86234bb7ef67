/** Writes files of a conversation as parts of an AI SDK message. */
import { addressOf, readFile } from "@cairn/api";
import type { FileView } from "@cairn/timeline";
import type { UIMessage } from "ai";

export interface ChatPlace {
  readonly conversation: string;
  /** The path below which the API is served; empty for none. */
  readonly prefix: string;
}

type FilePart = Extract<UIMessage["parts"][number], { readonly type: "file" }>;

/** Returns the file's URL; null for content that is not stored as a file. */
export function fileAddress({ conversation, prefix }: ChatPlace, { physical_path, version }: FileView): string | null {
  if (physical_path === null) return null;
  return `${prefix}${addressOf(readFile, { id: conversation, path: physical_path }, { v: version })}`;
}

/** A file that the user sent. */
export function chatFile(place: ChatPlace, file: FileView): readonly FilePart[] {
  const url = fileAddress(place, file);
  if (url === null) return [];
  return [{ type: "file", url, mediaType: file.mime ?? "application/octet-stream", filename: file.name }];
}
