/** Rules of OpenAI's Chat Completions. */
import type { JsonObject } from "@cairn/timeline";
import type { ChatBody, ChatMessage } from "../body/openai-chat.ts";
import { isReasoning } from "../body/openai-model-family.ts";
import { cacheRules } from "./openai-cache.ts";
import { countRule } from "./openai-files.ts";
import { functionRules } from "./openai-functions.ts";
import { streamOptionsRule } from "./openai-stream.ts";
import { type Fault, firstOf, type Rule } from "./rule.ts";

const API = "https://platform.openai.com/docs/api-reference/chat/create";
const hi = { role: "user", content: "hi" };
const base = { model: "gpt-5.6", messages: [hi] };
const talk = (...messages: JsonObject[]): JsonObject => ({ ...base, messages });
const calls = (...ids: string[]): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })),
});
const result = (tool_call_id: string): JsonObject => ({ role: "tool", tool_call_id, content: "seen" });
const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

export const OPENAI_CHAT: readonly Rule<ChatBody>[] = [
  ...functionRules<ChatBody>({
    toolsOf: ({ tools = [] }) => tools.map((tool) => tool.function),
    chosenOf: ({ tool_choice: choice }) => (typeof choice === "object" ? choice.function.name : undefined),
    isChoiceGiven: ({ tool_choice: choice }) => choice !== undefined && choice !== "none",
    placeAt: (at) => `tools[${at}].function`,
    bodyWith: (tools, fields) => ({
      ...base,
      ...fields,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    }),
    chooses: (name) => ({ type: "function", function: { name } }),
  }),
  streamOptionsRule(API, { ...base, stream_options: { include_usage: true } }),
  {
    rule: "Models that think name their limit `max_completion_tokens`.",
    about: "settings",
    source: API,
    date: "2026-11-15",
    refuses: ({ max_tokens, model }) =>
      max_tokens != null && isReasoning(model)
        ? {
            message:
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            code: "unsupported_parameter",
            param: "max_tokens",
          }
        : null,
    example: { ...base, max_tokens: 5 },
  },
  {
    rule: "A message of the assistant has content, a refusal or calls.",
    about: "text",
    source: API,
    date: "2026-11-15",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, message]) =>
        message.role === "assistant" &&
        message.content == null &&
        message.refusal == null &&
        message.tool_calls === undefined
          ? {
              message: "Invalid value for 'content': expected a string, got null.",
              param: `messages.[${at}].content`,
            }
          : null,
      ),
    example: talk(hi, { role: "assistant", content: null }),
  },
  {
    rule: "Every result answers a call of the message directly before the results.",
    about: "pairs",
    source: "https://platform.openai.com/docs/guides/function-calling",
    date: "2026-11-15",
    refuses: ({ messages }) => firstOf(walkPairs(messages), ({ unknownAt }) => unknownAt),
    example: talk(hi, result("a")),
  },
  {
    rule: "Every call is answered right after the message it is in.",
    about: "pairs",
    source: "https://github.com/aliasrobotics/cai/issues/111",
    date: "2025-05-09",
    refuses: ({ messages }) => firstOf(walkPairs(messages), ({ unanswered }) => unanswered),
    example: talk(hi, calls("a", "b"), result("a"), hi),
  },
  countRule<ChatBody>(
    ({ messages }) => messages.flatMap(partTypes).filter((type) => type === "image_url").length,
    (count) => talk({ role: "user", content: Array.from({ length: count }, () => picture) }),
  ),
  ...cacheRules<ChatBody>(
    ({ messages }) => firstMarked(messages),
    (fields, marked) => ({ ...talk({ role: "user", content: [{ type: "text", text: "a", ...marked }] }), ...fields }),
  ),
];

interface PairFault {
  readonly unknownAt: Fault | null;
  readonly unanswered: Fault | null;
}

/** The results of a message's calls come directly after it, one for each call. */
function* walkPairs(messages: readonly ChatMessage[]): Generator<PairFault> {
  let open = new Set<string>();
  let known = new Set<string>();
  for (const [at, message] of [...messages, null].entries()) {
    const param = `messages.[${at}].role`;
    if (message?.role === "tool") {
      if (!known.has(message.tool_call_id))
        yield {
          unknownAt: {
            message:
              "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
            param,
          },
          unanswered: null,
        };
      open.delete(message.tool_call_id);
      continue;
    }
    if (open.size > 0)
      yield {
        unknownAt: null,
        unanswered: {
          message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
          param,
        },
      };
    known = new Set(message?.role === "assistant" ? message.tool_calls?.map(({ id }) => id) : []);
    open = new Set(known);
  }
}

function partTypes({ content }: ChatMessage): string[] {
  return Array.isArray(content) ? content.map(({ type }) => type) : [];
}

function firstMarked(messages: readonly ChatMessage[]): string | null {
  return firstOf(messages.entries(), ([at, { content }]) => {
    if (!Array.isArray(content)) return null;
    const nth = content.findIndex((part) => "prompt_cache_breakpoint" in part);
    return nth >= 0 ? `messages[${at}].content[${nth}].prompt_cache_breakpoint` : null;
  });
}
