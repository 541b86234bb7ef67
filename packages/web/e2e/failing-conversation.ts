/** A turn with calls that failed, as journals record it: the first two calls settled as `ok`. */
import { type Block, type EventBody, execReport, makeEvent, type TimelineEvent } from "@cairn/timeline";

type Outcome = EventBody<"call.settled">["outcome"];

export function failingConversation(): TimelineEvent[] {
  const turn_id = "turn_1";
  const ts = "2026-02-09T10:00:00Z";
  const events: TimelineEvent[] = [makeEvent("turn.opened", { turn_id, ts })];
  let position = 0;
  const add = (type: string, path: string, text: string, more: Partial<Block> = {}) => {
    const block = { type, turn_id, ts, path, text, ...more };
    events.push(makeEvent("block.appended", { position: position++, tokens: 1, version: 1, block }));
  };
  const call = (call_id: string, tool_id: string, params: Readonly<Record<string, string | string[]>>) => {
    const meta = { tool_call_id: call_id, iteration: 1 };
    const text = JSON.stringify({ tool_id, tool_call_id: call_id, params, ts });
    add("react.tool.call", `tc:${turn_id}.${call_id}.call`, text, { meta });
    events.push(makeEvent("call.started", { turn_id, call_id, tool_id, ts }));
    return (outcome: Outcome, result: string, mime: string) => {
      add("react.tool.result", `tc:${turn_id}.${call_id}.result`, result, { mime, meta });
      events.push(makeEvent("call.settled", { call_id, outcome, ts }));
    };
  };
  add("user.prompt", `ar:${turn_id}.user.prompt`, "Add it up, look it up, order it.");
  const runtime_error = { code: "execution_failed", message: "ZeroDivisionError: division by zero" };
  const program = call("tc_a", "exec_tools.execute_code_python", { prog_name: "sum" });
  program("ok", execReport({ runtime_error, log: "Adding." }), "text/markdown");
  const urls = ["https://a.example", "https://b.example"];
  const error = { code: "http_error", message: "The server answered 404." };
  const pages = { "https://a.example": { sid: 1, content: "A page." }, "https://b.example": { error } };
  call("tc_b", "web_tools.web_fetch", { urls })("ok", JSON.stringify(pages), "application/json");
  const denied = { code: "approval_denied", message: "The user did not agree to this call." };
  const refusal = JSON.stringify({ tool_id: "shop.order", tool_call_id: "tc_c", error: denied, ts });
  call("tc_c", "shop.order", { what: "tea" })("error", refusal, "application/json");
  add("assistant.completion", `ar:${turn_id}.assistant.completion`, "None of it worked.");
  events.push(makeEvent("turn.closed", { turn_id, ts, exit: "complete" }));
  return events;
}
