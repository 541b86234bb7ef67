/** Rules of Chat Completions that a schema cannot say. */
import { refuse } from "../openai/errors.ts";
import { checkChoice, checkFunctions } from "../openai/fields.ts";
import { checkCacheFields, isReasoning } from "../openai/model-family.ts";
import type { ChatBody, ChatMessage } from "./schema.ts";

export function checkChat(body: ChatBody): void {
  const { messages, tool_choice: choice, stream, stream_options } = body;
  const tools = (body.tools ?? []).map((tool) => tool.function);
  checkFunctions(tools, (at) => `tools[${at}].function.parameters`);
  checkChoice(
    typeof choice === "object" ? choice.function.name : undefined,
    tools,
    choice !== undefined && choice !== "none",
  );
  if (stream_options != null && stream !== true)
    throw refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", null, "stream_options");
  if (body.max_tokens != null && isReasoning(body.model))
    throw refuse(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
      "max_tokens",
    );
  for (const [at, message] of messages.entries())
    if (
      message.role === "assistant" &&
      message.content == null &&
      message.refusal == null &&
      message.tool_calls === undefined
    )
      throw refuse(`Invalid value for 'content': expected a string, got null.`, null, `messages.[${at}].content`);
  checkPairs(messages);
  checkCacheFields(body, firstMarked(messages));
}

/** Results come right after the message with their calls, one for each. */
function checkPairs(messages: readonly ChatMessage[]): void {
  let open = new Set<string>();
  let known = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!known.has(message.tool_call_id))
        throw refuse(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          null,
          `messages.[${at}].role`,
        );
      open.delete(message.tool_call_id);
      continue;
    }
    if (open.size > 0) throw unanswered(open, at);
    known = new Set(message.role === "assistant" ? message.tool_calls?.map(({ id }) => id) : []);
    open = new Set(known);
  }
  if (open.size > 0) throw unanswered(open, messages.length);
}

function unanswered(ids: ReadonlySet<string>, at: number) {
  return refuse(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(", ")}`,
    null,
    `messages.[${at}].role`,
  );
}

function firstMarked(messages: readonly ChatMessage[]): string | null {
  for (const [at, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    const nth = content.findIndex((part) => "prompt_cache_breakpoint" in part);
    if (nth >= 0) return `messages[${at}].content[${nth}].prompt_cache_breakpoint`;
  }
  return null;
}
