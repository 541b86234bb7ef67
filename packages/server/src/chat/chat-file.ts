/** Writes files of a conversation as parts of an AI SDK message. */
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
  const path = physical_path.split("/").map(encodeURIComponent).join("/");
  return `${prefix}/api/conversations/${encodeURIComponent(conversation)}/files/${path}?v=${version}`;
}

/** A file that the user sent. */
export function chatFile(place: ChatPlace, file: FileView): readonly FilePart[] {
  const url = fileAddress(place, file);
  if (url === null) return [];
  return [{ type: "file", url, mediaType: file.mime ?? "application/octet-stream", filename: file.name }];
}
