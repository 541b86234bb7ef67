/** Message blocks: what a model is sent, oldest first. */
import type { BlobRef } from "../block/blob.ts";

export interface TextMessage {
  readonly type: "text";
  readonly text: string;
  readonly cache?: true;
}

/** Kinds of message blocks that hold bytes. */
export type FileKind = "image" | "document";

export interface BinaryMessage {
  readonly type: FileKind;
  readonly media_type: string;
  /** Base64, when the block holds its bytes. */
  readonly data?: string;
  /** Where the bytes are, when it does not; they are filled in before the request is sent. */
  readonly blob?: BlobRef;
  readonly cache?: true;
}

export type MessageBlock = TextMessage | BinaryMessage;
