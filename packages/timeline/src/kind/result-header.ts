/** The first line of a result, and the text of a call that has none. */
import { inline } from "../message/inline.ts";
import type { PlacedBlock } from "./block-kind.ts";

export const RESULT_HEADER = "[TOOL RESULT ";

type Answered = Pick<PlacedBlock, "callId" | "tool">;

export function resultHeader({ callId }: Answered, part: "summary" | "result" | "artifact", tool: string | null) {
  return `${RESULT_HEADER}${inline(callId ?? "")}].${part}${tool === null ? "" : ` ${inline(tool)}`}`;
}

/** The text of a call that never settled, so that no call stays without an outcome. */
export function viewInterrupted(call: Answered): string {
  return `${resultHeader(call, "summary", call.tool)}\nStatus: error tool_interrupted: The call was interrupted before it gave a result. Call the tool again if the result is still needed.`;
}
