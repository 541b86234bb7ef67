/** The result of an append: what it wrote, and what has to follow. */
import type { Appended } from "../contract/records.ts";
import type { ConversationRow } from "./conversations.ts";
import type { PreparedEvent } from "./event-row.ts";

export interface AppendOutcome {
  readonly appended: Appended;
  readonly conversation: ConversationRow;
  /** The events that were written, in order, after `afterSeq`. */
  readonly written: readonly PreparedEvent[];
  readonly afterSeq: number;
  readonly snapshotDue: boolean;
}
