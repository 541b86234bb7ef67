/**
 * What a turn tells whoever watches it, while it happens. Nothing here is stored: blocks and events are, and a watcher
 * that joins later follows the journal.
 */
import type { TimelineEvent } from "@cairn/timeline";
import type { StreamKind } from "./stream-name.ts";

export type TurnSignal =
  /**
   * Text is being written, with its citations as it was asked for: `say` becomes notes or the answer, `write` a file, `code` what
   * a call runs; `thinking` is not stored for the model.
   */
  | {
      readonly type: "delta";
      /** `readStreamName` tells what it says of itself. */
      readonly stream: string;
      readonly kind: StreamKind;
      /** Where the text goes, if it goes to a file and that is known. */
      readonly path?: string;
      /** In UTF-16 units of what was shown before. */
      readonly offset: number;
      readonly text: string;
    }
  /** The text of a stream will not become a block after all: the request is made again, or the process died. */
  | { readonly type: "discarded"; readonly stream: string }
  /** Events that are durable now, and the streams that ended with them: their text is in a block, or in none. */
  | {
      readonly type: "events";
      readonly events: readonly TimelineEvent[];
      readonly lastSeq: number;
      readonly streams: readonly string[];
    }
  /** What is visible does not fit any more: its beginning is about to give way to a summary. */
  | { readonly type: "on_before_compaction"; readonly before_tokens: number }
  /** It did, and that is durable. The numbers are those of what the model sees, the tail aside. */
  | {
      readonly type: "on_after_compaction";
      readonly before_tokens: number;
      readonly after_tokens: number;
      readonly compacted_tokens: number;
    }
  | { readonly type: "progress"; readonly callId: string; readonly text: string }
  /** The model could not be reached; the request is made again after a wait. */
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number };

/** In live text: replaced by links, or as the tokens that are written. */
export type LiveCitations = "links" | "tokens";

export type TurnListener = (signal: TurnSignal) => void;

/** A watcher that fails must not end the turn it watches: it is told nothing more, and its error becomes a warning. */
export function guardListener(listener: TurnListener | undefined): TurnListener {
  let watching = listener;
  return (signal) => {
    try {
      watching?.(signal);
    } catch (error) {
      watching = undefined;
      process.emitWarning(error instanceof Error ? error : String(error), {
        detail: "The listener of a turn threw an error.",
      });
    }
  };
}
