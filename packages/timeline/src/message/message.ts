/** Message blocks: the content sent to a model, oldest first. */
import type { BlobRef } from "../block/blob.ts";

interface TextMessage {
  readonly type: "text";
  readonly text: string;
  readonly cache?: true;
}

/** Kinds of message blocks that hold bytes. */
export type FileKind = "image" | "document";

export interface BinaryMessage {
  readonly type: FileKind;
  readonly media_type: string;
  /** The bytes in base64; absent when `blob` refers to them. */
  readonly data?: string;
  /** Reference to the bytes when the block does not contain them. The sender fills them in. */
  readonly blob?: BlobRef;
  readonly cache?: true;
}

export type MessageBlock = TextMessage | BinaryMessage;
