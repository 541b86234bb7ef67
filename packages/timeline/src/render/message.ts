/** Message blocks: what a model is sent, oldest first. */
import type { BlobRef } from "../block/blob.ts";

export interface TextMessage {
  readonly type: "text";
  readonly text: string;
  readonly cache?: true;
}

export interface BinaryMessage {
  readonly type: "image" | "document";
  readonly media_type: string;
  /** Base64, when the block holds its bytes. */
  readonly data?: string;
  /** Where the bytes are, when it does not; they are filled in before the request is sent. */
  readonly blob?: BlobRef;
  readonly cache?: true;
}

export type MessageBlock = TextMessage | BinaryMessage;
