/** A library that can search messages: it is filled once with a conversation, then queried. */
import type { RecallMessage } from "./recall-set.ts";

export interface Contender {
  readonly name: string;
  fill(messages: readonly RecallMessage[]): Promise<FilledContender>;
}

export interface FilledContender {
  /** Ids of at most `limit` messages, the best first. */
  find(question: string, limit: number): Promise<readonly string[]>;
  /** Bytes of the index; for an index in memory, the bytes that are written to load it again. */
  indexBytes(): Promise<number>;
  close(): Promise<void>;
}
