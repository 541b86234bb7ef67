/** The protocol of an agent: the one it names, or the one its model needs. */
import type { Model } from "../model/model.ts";
import type { DecisionProtocol } from "./decision-protocol.ts";
import { textProtocol } from "./text-protocol.ts";

export interface ProtocolChoice {
  readonly model: Pick<Model, "protocol">;
  readonly protocol?: Model["protocol"];
}

/** The model calls tools through its provider's own mechanism. */
const nativeProtocol: DecisionProtocol = { name: "native", offer: (tools) => ({ tools }) };

export function protocolOf({ model, protocol }: ProtocolChoice): DecisionProtocol {
  return (protocol ?? model.protocol ?? "native") === "text" ? textProtocol : nativeProtocol;
}
