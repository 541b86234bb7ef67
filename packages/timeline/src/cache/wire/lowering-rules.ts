/** The choices that a version of a lowering makes. Sent requests must keep their bytes, so a version never changes. */
import type { FileKind } from "../../message/message.ts";
import type { RenderedView } from "../../render/rendered-view.ts";
import type { ComposedView } from "./compose-parts.ts";
import type { Lowering } from "./lowering.ts";
import type { WireInput } from "./wire-request.ts";

export interface LoweringRules extends Lowering {
  /** Whether consecutive user messages are sent as one message, and consecutive texts in it as one text. */
  readonly joinsMessages: boolean;
  /** `resultFiles`: the kinds of files that the result of a call may contain. */
  compose(view: RenderedView, input: WireInput, resultFiles: readonly FileKind[]): ComposedView;
}
