/**
 * How tools are described to a model and how its answers become decisions: with the provider's own tool calls, or in
 * text for models that call no tools.
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
  /** Reads a decision from text and calls, and may use `read`, which reads the calls. Absent if `read` is enough. */
  read?(raw: RawDecision, read: (raw: RawDecision) => Decision, offered: OfferedTools): Decision;
}
