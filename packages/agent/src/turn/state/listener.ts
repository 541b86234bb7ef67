/** The signals of a running turn to its listeners. They are not stored; a late listener follows the journal. */
import type { TimelineEvent } from "@cairn/timeline";
import type { StreamKind } from "./stream-name.ts";

export type TurnSignal =
  /**
   * Text is being written, with citations in the requested form. `say` becomes notes or the answer, `write` a file,
   * `code` the code of a call, and `input` the parameters of a call as JSON. `thinking` is stored for people, and the
   * model does not see it again.
   */
  | {
      readonly type: "delta";
      /** Name of the stream; `readStreamName` parses it. */
      readonly stream: string;
      readonly kind: StreamKind;
      /** The path of the file that gets the text, if known. */
      readonly path?: string;
      /** The call whose input is streamed. */
      readonly call_id?: string;
      readonly tool_id?: string;
      /** Position of the piece in the text, in UTF-16 units. */
      readonly offset: number;
      readonly text: string;
    }
  /** The text of a stream will not become a block, because the request is retried or a process died. */
  | { readonly type: "discarded"; readonly stream: string }
  /** Events that are now stored, and the streams that ended with them, also those that became no block. */
  | {
      readonly type: "events";
      readonly events: readonly TimelineEvent[];
      readonly lastSeq: number;
      readonly streams: readonly string[];
    }
  /** The view does not fit into the model's window any more, so a compaction begins. */
  | { readonly type: "on_before_compaction"; readonly before_tokens: number }
  /** The compaction is complete and stored. The numbers are tokens of the model's view, without the tail. */
  | {
      readonly type: "on_after_compaction";
      readonly before_tokens: number;
      readonly after_tokens: number;
      readonly compacted_tokens: number;
    }
  /** `error` is for the log: it may contain addresses and queries, so clients see only `text`. */
  | { readonly type: "progress"; readonly callId: string; readonly text: string; readonly error?: unknown }
  /** The model could not be reached; the request is retried after a wait. */
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number };

/** Citations in live text: replaced by links, or unchanged as tokens. */
export type LiveCitations = "links" | "tokens";

export type TurnListener = (signal: TurnSignal) => void;

/** A listener that throws must not end the turn. The listener is not called again, and its error becomes a warning. */
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
