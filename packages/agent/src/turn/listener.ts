/**
 * What a turn tells whoever watches it, while it happens. Nothing here is stored: blocks and events are, and a watcher
 * that joins later follows the journal.
 */
import type { TimelineEvent } from "@cairn/timeline";

export type TurnSignal =
  /** Text is being written: `say` becomes notes or the answer, `thinking` is not stored for the model. */
  | {
      readonly type: "delta";
      readonly stream: string;
      readonly kind: "say" | "thinking";
      readonly offset: number;
      readonly text: string;
    }
  /** The text of a stream will not become a block after all: the request is made again, or the process died. */
  | { readonly type: "discarded"; readonly stream: string }
  /** Events that are durable now. */
  | { readonly type: "events"; readonly events: readonly TimelineEvent[]; readonly lastSeq: number }
  | { readonly type: "progress"; readonly callId: string; readonly text: string }
  /** The model could not be reached; the request is made again after a wait. */
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number };

export type TurnListener = (signal: TurnSignal) => void;
