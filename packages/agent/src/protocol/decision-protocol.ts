/**
 * How tools are offered to a model and its decisions are obtained: by the provider's own tool calling, or in text for
 * models that call no tools.
 */
import type { ModelPart, ModelRequest, ToolSpec } from "../model/model.ts";
import type { ProtocolName } from "../model/providers/provider.ts";
import type { Decision, RawDecision } from "./decision.ts";

/** The tools of a request. */
export type OfferedTools = Pick<ModelRequest, "tools" | "inText">;

export interface DecisionProtocol {
  readonly name: ProtocolName;
  /** The text protocol derives its code from `conversation`, which is the same in all requests of a conversation. */
  offer(specs: readonly ToolSpec[], conversation: string): OfferedTools;
  /** Finds the calls in the text of an answer. Absent if the provider reports the calls separately. */
  parts?(parts: AsyncIterable<ModelPart>, offered: OfferedTools): AsyncIterable<ModelPart>;
  /** Reads the decision with `read`, which knows the calls only. Absent where that is enough. */
  read?(raw: RawDecision, read: (raw: RawDecision) => Decision, offered: OfferedTools): Decision;
}
