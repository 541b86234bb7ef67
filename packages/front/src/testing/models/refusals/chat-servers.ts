/**
 * Rules of Chat Completions servers beyond OpenAI's own. They come from the model's chat template, or from a parser
 * that accepts fewer kinds of content.
 */
import type { JsonObject } from "@cairn/timeline";
import type { ChatBody, ChatMessage } from "../body/openai-chat.ts";
import type { ServerName } from "../body/server-name.ts";
import { schemasIn } from "../body/tool-schema.ts";
import { firstOf, type Rule } from "./rule.ts";

const hi = { role: "user", content: "hi" };
const talk = (...messages: JsonObject[]): JsonObject => ({ model: "m", messages });
const calls = (...ids: string[]): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "look", arguments: "{}" } })),
});
const result = (tool_call_id: string): JsonObject => ({ role: "tool", tool_call_id, content: "seen" });
const VLLM_IMAGES = 5;
const file = { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } };

export const SERVERS: Readonly<Record<ServerName, readonly Rule<ChatBody>[]>> = {
  mistral: [
    {
      rule: "After an optional system message, user and assistant take turns, calls and results aside.",
      about: "roles",
      source: "https://github.com/vllm-project/vllm/issues/6862",
      date: "2024-07-27",
      refuses: ({ messages }) =>
        takesTurns(messages, isAboutTools)
          ? null
          : "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
      example: talk(hi, hi),
    },
    {
      rule: "The id of a call has nine letters or digits.",
      about: "pairs",
      source: "https://github.com/ggml-org/llama.cpp/issues/11402",
      date: "2025-01-24",
      refuses: ({ messages }) =>
        callsOf(messages).every(({ id }) => /^[a-zA-Z0-9]{9}$/.test(id))
          ? null
          : "Tool call IDs should be alphanumeric strings with length 9!",
      example: talk(hi, calls("call_1"), result("call_1")),
    },
  ],
  gemma: [
    {
      rule: "User and assistant take turns.",
      about: "roles",
      status: 500,
      source: "https://github.com/nextai-translator/raycast-openai-translator/issues/34",
      date: "2026-02-19",
      refuses: ({ messages }) =>
        takesTurns(messages)
          ? null
          : "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...",
      example: talk(hi, hi),
    },
  ],
  qwen: [
    {
      rule: "Only the first message is a system message.",
      about: "roles",
      source: "https://github.com/QwenLM/Qwen3.8/issues/244",
      date: "2026-09-22",
      refuses: ({ messages }) =>
        messages.slice(1).some(isSystem) ? "Jinja Exception: System message must be at the beginning." : null,
      example: talk(hi, { role: "system", content: "s" }),
    },
    {
      rule: "There is a user message.",
      about: "roles",
      source: "https://github.com/vllm-project/vllm/issues/36432",
      date: "2026-03-09",
      refuses: ({ messages }) =>
        messages.some(({ role }) => role === "user") ? null : "No user query found in messages.",
      example: talk({ role: "system", content: "s" }),
    },
  ],
  llama: [
    {
      rule: "A message has at most one call.",
      about: "pairs",
      source: "https://github.com/vllm-project/vllm/pull/12938",
      date: "2025-02-08",
      refuses: ({ messages }) =>
        messages.some((message) => callsOf([message]).length > 1)
          ? "This model only supports single tool-calls at once!"
          : null,
      example: talk(hi, calls("a", "b"), result("a"), result("b")),
    },
  ],
  deepseek: [
    {
      rule: "Content is text.",
      about: "text",
      source: "https://github.com/rikkahub/rikkahub/issues/1433",
      date: "2026-07-03",
      refuses: ({ messages }) => {
        const at = messages.findIndex((message) => kindsIn(message).some((kind) => kind !== "text"));
        if (at < 0) return null;
        const kind = kindsIn(messages[at]).find((each) => each !== "text");
        return `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant \`${kind}\`, expected \`text\` at line 1 column 42`;
      },
      example: talk({ role: "user", content: [file] }),
    },
    {
      rule: "In a conversation with calls, every message of the assistant has `reasoning_content`, which may be empty.",
      about: "pairs",
      source: "https://api-docs.deepseek.com/guides/thinking_mode",
      date: "2026-11-18",
      refuses: ({ messages }) =>
        callsOf(messages).length > 0 && messages.some(lacksThought)
          ? "The `reasoning_content` in the thinking mode must be passed back to the API."
          : null,
      example: talk(hi, calls("a"), result("a")),
    },
  ],
  kimi: [
    {
      rule: "A message with calls has `reasoning_content`, which may be empty.",
      about: "pairs",
      source: "https://github.com/bytedance/deer-flow/issues/3043",
      date: "2026-05-19",
      refuses: ({ messages }) => {
        const at = messages.findIndex((message) => callsOf([message]).length > 0 && lacksThought(message));
        return at < 0
          ? null
          : `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`;
      },
      example: talk(hi, calls("a"), result("a")),
    },
  ],
  ollama: [
    {
      rule: "Content is text or pictures.",
      about: "text",
      source: "https://github.com/ollama/ollama/blob/00988753ff743bf26117964f6e43f9ebf10bce30/openai/openai.go",
      date: "2026-11-16",
      refuses: ({ messages }) =>
        messages.some((message) => kindsIn(message).includes("file")) ? "invalid message format" : null,
      example: talk({ role: "user", content: [file] }),
    },
  ],
  vllm: [
    {
      rule: "A request has at most as many pictures as the server was started with.",
      about: "counts",
      source: "https://github.com/vllm-project/vllm/issues/17092",
      date: "2025-04-24",
      refuses: ({ messages }) =>
        messages.flatMap(kindsIn).filter((kind) => kind === "image_url").length > VLLM_IMAGES
          ? `At most ${VLLM_IMAGES} image(s) may be provided in one request.`
          : null,
      example: talk({
        role: "user",
        content: Array.from({ length: 6 }, () => ({
          type: "image_url",
          image_url: { url: "data:image/png;base64,AAAA" },
        })),
      }),
    },
  ],
  toolless: [
    {
      rule: "The model takes no tools.",
      about: "schemas",
      source: "https://github.com/tinyhumansai/openhuman/issues/2787",
      date: "2026-05-27",
      refuses: ({ model, tools = [] }) =>
        tools.length === 0 ? null : `registry.ollama.ai/library/${model} does not support tools`,
      example: {
        ...talk(hi),
        tools: [{ type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } }],
      },
    },
  ],
  gemini: [
    {
      rule: "Google's gateway takes only schema keywords that Gemini's own schemas have.",
      about: "schemas",
      source: "https://github.com/earendil-works/pi/issues/4932",
      date: "2026-05-23",
      refuses: ({ tools = [] }) =>
        firstOf(
          tools.entries(),
          ([
            at,
            {
              function: { parameters },
            },
          ]) =>
            firstOf(schemasIn(parameters), ({ schema }) => {
              const unknown = Object.keys(schema).find((keyword) => !GEMINI_SCHEMA.has(keyword));
              return unknown === undefined
                ? null
                : `Invalid JSON payload received. Unknown name "${unknown}" at 'tools[0].function_declarations[${at}].parameters': Cannot find field.`;
            }),
        ),
      example: {
        ...talk(hi),
        tools: [
          {
            type: "function",
            function: { name: "look", parameters: { type: "object", properties: { a: { const: "b" } } } },
          },
        ],
      },
    },
    {
      rule: "A schema has one type, not a list of types.",
      about: "schemas",
      source: "https://github.com/voocel/litellm/issues/9",
      date: "2026-09-09",
      refuses: ({ tools = [] }) =>
        firstOf(
          tools.entries(),
          ([
            at,
            {
              function: { parameters },
            },
          ]) =>
            firstOf(schemasIn(parameters), ({ schema }) =>
              Array.isArray(schema.type)
                ? `Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[${at}].parameters': Proto field is not repeating, cannot start list.`
                : null,
            ),
        ),
      example: {
        ...talk(hi),
        tools: [
          {
            type: "function",
            function: {
              name: "look",
              parameters: { type: "object", properties: { a: { type: ["string", "null"] } } },
            },
          },
        ],
      },
    },
  ],
};

/** The fields of Gemini's own schemas (https://ai.google.dev/api/caching#Schema). */
const GEMINI_SCHEMA = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required"],
  ...["minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering"],
  ...["default", "items", "minimum", "maximum"],
]);

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/** `without`: the messages to leave out of the count. */
function takesTurns(
  messages: readonly ChatMessage[],
  without: (message: ChatMessage) => boolean = () => false,
): boolean {
  const [first, ...others] = messages;
  const spoken = (first !== undefined && isSystem(first) ? others : messages).filter((message) => !without(message));
  return spoken.every(({ role }, at) => (role === "user") === (at % 2 === 0));
}

function isAboutTools(message: ChatMessage): boolean {
  return message.role === "tool" || callsOf([message]).length > 0;
}

function lacksThought(message: ChatMessage): boolean {
  return message.role === "assistant" && message.reasoning_content === undefined;
}

function callsOf(messages: readonly ChatMessage[]) {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
}

function kindsIn(message: ChatMessage | undefined): string[] {
  return Array.isArray(message?.content) ? message.content.map(({ type }) => type) : [];
}
