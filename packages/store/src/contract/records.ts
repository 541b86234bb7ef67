/** The records a conversation store gives back. */
import type { Artifact, Block, Json, JsonObject, TimelineEvent, TimelineState, TurnArtifacts } from "@cairn/timeline";

/** Where a fork was made. */
export interface ForkOrigin {
  readonly conversation: string;
  readonly seq: number;
  /**
   * The conversation that the chain of forks began with, which a fork of a fork keeps, also when others of the chain are
   * deleted. Absent for a fork that an earlier version made.
   */
  readonly root?: string;
}

export interface ConversationInfo {
  readonly conversation: string;
  /** From the last `meta.set` that named one. */
  readonly title: string | null;
  /** What the creator said about the conversation, such as the agent's name; it never changes. */
  readonly attributes: JsonObject;
  /** Epoch milliseconds of the store's clock. */
  readonly created_at: number;
  readonly last_activity_at: number;
  readonly last_seq: number;
  /** Seq of the last timeline event, 0 when there is none: what the next writer's `expectedSeq` must say. */
  readonly last_timeline_seq: number;
  readonly turns: number;
  /** The last turn, while it has not been closed. */
  readonly open_turn: string | null;
  readonly forked_from: ForkOrigin | null;
}

export interface StoredEvent {
  readonly seq: number;
  /** Epoch milliseconds of the store's clock. */
  readonly stored_at: number;
  readonly event: TimelineEvent;
}

export interface LoadedConversation {
  readonly state: TimelineState;
  /** Seq of the last event that was folded. */
  readonly seq: number;
  /** Seq of the last timeline event that was folded. */
  readonly timelineSeq: number;
}

export interface Lease {
  /** Grows with every lease that is granted; the fence. */
  readonly token: number;
  readonly holder: string;
  /** Epoch milliseconds of the store's clock. */
  readonly expires_at: number;
  /** Seq of the last timeline event when the lease was granted or renewed. */
  readonly last_timeline_seq: number;
}

export interface Appended {
  /** One per event given, in order. A repeated input has the seq it got the first time. */
  readonly seqs: readonly number[];
  readonly lastSeq: number;
  readonly lastTimelineSeq: number;
}

/** An artifact composed from the journal, or saved with `saveArtifact`. */
export interface StoredArtifact {
  /** `conv.timeline.v1`, `conv:sources_pool`, `turn.log:<turn>`, `conv.range.summary:<position>`, or `saved:<n>`. */
  readonly id: string;
  /** With the prefix `artifact:`. */
  readonly kind: string;
  readonly turn_id: string | null;
  /** ISO-8601 UTC. */
  readonly ts: string;
  /** The compact text an index shows. */
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
  /** Canonical, without a version. */
  readonly path: string;
  readonly version: number;
  readonly latestVersion: number;
  /** The blocks of that version, and the digests that describe it, by position. */
  readonly blocks: readonly FoundBlock[];
  /** A state that holds just these blocks (for `so:` paths: just the pool), so that the engine can resolve the path. */
  readonly state: TimelineState;
  /** What `resolveArtifact` makes of it. Overlays belong to the window: `hidden` is always false here. */
  readonly artifact: Artifact;
}

export interface SearchHit {
  readonly conversation: string;
  readonly seq: number;
  readonly position: number;
  readonly turn_id: string | null;
  readonly type: string;
  readonly path: string | null;
  /** When it was said, to the second, as its block or its turn says; else when it was stored. ISO-8601 UTC. */
  readonly ts: string;
  /** How well it matches, beside other hits of the same query; 0 in a list. */
  readonly score: number;
  /** How many texts after it in the order said almost the same, and were left out for it. */
  readonly repeats: number;
  /** The part of the text that has most of what was asked for, plain text. */
  readonly excerpt: string;
}

export interface StoredTurn {
  readonly turn_id: string;
  readonly opened_seq: number;
  /** Null while the turn is open. */
  readonly closed_seq: number | null;
  readonly opened_at: string | null;
  readonly closed_at: string | null;
  readonly exit: string | null;
  readonly view: TurnArtifacts;
}

/** What models were paid, in tokens of input and output together, and in dollars. */
export interface Spending {
  readonly tokens: number;
  readonly dollars: number;
}

/** The journal of some turns. */
export interface TurnPage {
  /** The number of the first turn and of the last, from 1; `last` is 0 when there are none. */
  readonly first: number;
  readonly last: number;
  /** Seq of the conversation's last event. */
  readonly seq: number;
  /** The highest SID that was given before the first turn; 0 when there was none. */
  readonly highest_sid: number;
  /**
   * In order: every event from the beginning of the first turn to the beginning of the turn behind the last one, and
   * from there on only blocks of these turns, feedback and compactions.
   */
  readonly events: readonly StoredEvent[];
}

/** The text of a stream whose block has not landed yet. */
export interface OpenStream {
  readonly stream: string;
  readonly text: string;
}
