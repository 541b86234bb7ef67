/** A round of the conversation as LangChain's messages: a call and its result. */
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { roundText } from "../store/conversation-script.ts";

export function messagesOf(round: number): [AIMessage, ToolMessage] {
  const { call, notes, params, result, file } = roundText(round);
  const tool_calls = [{ id: call, name: "web_tools.web_fetch", args: { params }, type: "tool_call" as const }];
  return [
    new AIMessage({ id: `${call}a`, content: notes, tool_calls }),
    new ToolMessage({ id: `${call}t`, content: `${result}\n${file}`, tool_call_id: call }),
  ];
}
