/** The records that a conversation store returns. */
import type {
  Artifact,
  Block,
  Json,
  JsonObject,
  SourceRow,
  TimelineEvent,
  TimelineState,
  TurnArtifacts,
} from "@cairn/timeline";
import type { CallOptions } from "./call-options.ts";

export interface ForkOrigin {
  readonly conversation: string;
  readonly seq: number;
  /** The first conversation of the chain of forks, even if deleted. Absent for forks made by earlier versions. */
  readonly root?: string;
  /** Whether it is a branch, which shares the events up to `seq`. Without this field, these events were copied. */
  readonly branch?: true;
}

/** A turn that has different versions in the conversations of one tree. */
export interface TurnVersions {
  /** Number of the turn, from 1. */
  readonly turn: number;
  /** The conversation that was active last for each version, in the order in which the versions were made. */
  readonly conversations: readonly string[];
  /** Index of the version that the conversation itself contains. */
  readonly current: number;
}

export interface ConversationInfo {
  readonly conversation: string;
  /** The title: from the last `title.given` that counts or, in older journals, the last `meta.set` with a title. */
  readonly title: string | null;
  /** Data given at creation, such as the agent's name; it never changes. */
  readonly attributes: JsonObject;
  /** Time in epoch milliseconds, by the store's clock. */
  readonly created_at: number;
  readonly last_activity_at: number;
  readonly last_seq: number;
  /** Seq of the last timeline event, or 0: the `expectedSeq` of the next writer. */
  readonly last_timeline_seq: number;
  readonly turns: number;
  /** The last turn, if it is not closed. */
  readonly open_turn: string | null;
  readonly forked_from: ForkOrigin | null;
  /** Whether lists show this conversation of its tree. */
  readonly listed: boolean;
}

export interface StoredEvent {
  readonly seq: number;
  /** Time in epoch milliseconds, by the store's clock. */
  readonly stored_at: number;
  readonly event: TimelineEvent;
}

export interface LoadedConversation {
  readonly state: TimelineState;
  /** Seq of the last folded event. */
  readonly seq: number;
  /** Seq of the last folded timeline event. */
  readonly timelineSeq: number;
}

export interface OutlineOptions extends CallOptions {
  /** Converts a source to what the pool keeps; its `sid` stays. Without this function, no source is read. */
  readonly sources?: (row: SourceRow) => SourceRow;
}

/** The state of a conversation without its blocks and without the outputs in `approvalsGiven`. */
export interface LoadedOutline {
  readonly state: Pick<
    TimelineState,
    | "turnIds"
    | "openTurn"
    | "openTurnChoice"
    | "cancelRequested"
    | "pendingInputs"
    | "unsettled"
    | "approvalsRequested"
    | "approvalsGiven"
    | "pool"
  >;
  /** Seq of the last folded event. */
  readonly seq: number;
}

export interface Lease {
  /** Increases with every granted lease; used as the fencing token. */
  readonly token: number;
  readonly holder: string;
  /** Time in epoch milliseconds, by the store's clock. */
  readonly expires_at: number;
  /** Seq of the last timeline event when the lease was granted or renewed. */
  readonly last_timeline_seq: number;
}

export interface Appended {
  /** The seq of each given event, in order. A repeated input has the seq of its first occurrence. */
  readonly seqs: readonly number[];
  readonly lastSeq: number;
  readonly lastTimelineSeq: number;
}

/** An artifact composed from the journal, or saved with `saveArtifact`. */
export interface StoredArtifact {
  /** `conv.timeline.v1`, `conv:sources_pool`, `turn.log:<turn>`, `conv.range.summary:<position>`, or `saved:<n>`. */
  readonly id: string;
  /** The artifact's kind, with the prefix `artifact:`. */
  readonly kind: string;
  readonly turn_id: string | null;
  /** Time of the artifact, in ISO 8601 UTC. */
  readonly ts: string;
  /** A compact text for lists. */
  readonly content_str: string;
  readonly payload: Json;
}

export interface FoundBlock {
  readonly seq: number;
  readonly position: number;
  readonly block: Block;
  readonly tokens: number;
  readonly version: number;
}

export interface FoundPath {
  /** The logical path in canonical form, without a version. */
  readonly path: string;
  readonly version: number;
  readonly latestVersion: number;
  /** The blocks of that version, and the digests that describe it, by position. */
  readonly blocks: readonly FoundBlock[];
  /** A state with only these blocks (for `so:` paths: only the pool), so that the engine can resolve the path. */
  readonly state: TimelineState;
  /** The result of `resolveArtifact`. Overlays belong to the window, so `hidden` is always false here. */
  readonly artifact: Artifact;
}

export interface SearchHit {
  readonly conversation: string;
  readonly seq: number;
  readonly position: number;
  readonly turn_id: string | null;
  readonly type: string;
  readonly path: string | null;
  /** Whether the content is hidden from people. */
  readonly internal: boolean;
  /** Time of the text, to the second, from its block or its turn; otherwise the time it was stored. ISO 8601 UTC. */
  readonly ts: string;
  /** Relevance compared with other hits of the same query; 0 in a list. */
  readonly score: number;
  /** Number of lower-ranked texts with almost the same words that were left out. */
  readonly repeats: number;
  /** The part of the text that matches the query best, as plain text. */
  readonly excerpt: string;
}

export interface StoredTurn {
  readonly turn_id: string;
  readonly opened_seq: number;
  /** Seq of the event that closed the turn; null while the turn is open. */
  readonly closed_seq: number | null;
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  readonly exit: string | null;
  readonly view: TurnArtifacts;
}

/** Time in epoch milliseconds, by the store's clock. */
export interface SpendingWindow {
  readonly since: number;
  readonly until?: number;
}

/** Cost of model requests, in tokens of input and output together, and in dollars. */
export interface Spending {
  readonly tokens: number;
  readonly dollars: number;
}

export interface TurnPage {
  /** Number of the first and of the last turn, from 1; `last` is 0 when there are none. */
  readonly first: number;
  readonly last: number;
  /** Seq of the conversation's last event. */
  readonly seq: number;
  /** The highest SID assigned before the first turn; 0 when there was none. */
  readonly highest_sid: number;
  /**
   * In order: every event from the beginning of the first turn to the beginning of the turn after the last one; after
   * that only blocks of these turns, feedback and compactions.
   */
  readonly events: readonly StoredEvent[];
}

/** The text of a stream whose block is not stored yet. */
export interface OpenStream {
  readonly stream: string;
  readonly text: string;
}
