/**
 * What servers that speak Chat Completions refuse beyond OpenAI's own rules: the chat template of the model they run, or
 * a parser that knows fewer kinds of content. Each rule is in the server's words, with where and when it was seen.
 */
import type { ServerName } from "../server-name.ts";
import type { ChatBody, ChatMessage } from "./schema.ts";

interface ServerRule {
  readonly rule: string;
  readonly status: number;
  readonly source: string;
  /** When it was seen there. */
  readonly date: string;
  /** The server's error message, or null for a body it takes. */
  readonly refuses: (body: ChatBody) => string | null;
}

export const SERVER_RULES: Readonly<Record<ServerName, readonly ServerRule[]>> = {
  mistral: [
    {
      rule: "after an optional system message, user and assistant take turns, calls and results aside",
      status: 400,
      source: "https://github.com/vllm-project/vllm/issues/6862",
      date: "2024-07-27",
      refuses: ({ messages }) =>
        takesTurns(messages, isAboutTools)
          ? null
          : "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
    },
    {
      rule: "the id of a call has nine letters or digits",
      status: 400,
      source: "https://github.com/ggml-org/llama.cpp/issues/11402",
      date: "2025-01-24",
      refuses: ({ messages }) =>
        callsOf(messages).every(({ id }) => /^[a-zA-Z0-9]{9}$/.test(id))
          ? null
          : "Tool call IDs should be alphanumeric strings with length 9!",
    },
  ],
  gemma: [
    {
      rule: "user and assistant take turns",
      status: 500,
      source: "https://github.com/nextai-translator/raycast-openai-translator/issues/34",
      date: "2026-02-19",
      refuses: ({ messages }) =>
        takesTurns(messages)
          ? null
          : "Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...",
    },
  ],
  qwen: [
    {
      rule: "only the first message is a system message",
      status: 400,
      source: "https://github.com/QwenLM/Qwen3.8/issues/244",
      date: "2026-09-22",
      refuses: ({ messages }) =>
        messages.slice(1).some(isSystem) ? "Jinja Exception: System message must be at the beginning." : null,
    },
    {
      rule: "there is a user message",
      status: 400,
      source: "https://github.com/vllm-project/vllm/issues/36432",
      date: "2026-03-09",
      refuses: ({ messages }) =>
        messages.some(({ role }) => role === "user") ? null : "No user query found in messages.",
    },
  ],
  llama: [
    {
      rule: "a message has at most one call",
      status: 400,
      source: "https://github.com/vllm-project/vllm/pull/12938",
      date: "2025-02-08",
      refuses: ({ messages }) =>
        messages.some((message) => callsOf([message]).length > 1)
          ? "This model only supports single tool-calls at once!"
          : null,
    },
  ],
  deepseek: [
    {
      rule: "content is text",
      status: 400,
      source: "https://github.com/rikkahub/rikkahub/issues/1433",
      date: "2026-07-03",
      refuses: ({ messages }) => {
        const at = messages.findIndex((message) => kindsIn(message).some((kind) => kind !== "text"));
        if (at < 0) return null;
        const kind = kindsIn(messages[at]).find((each) => each !== "text");
        return `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant \`${kind}\`, expected \`text\` at line 1 column 42`;
      },
    },
  ],
  ollama: [
    {
      rule: "content is text or pictures",
      status: 400,
      source: "https://github.com/ollama/ollama/blob/00988753ff743bf26117964f6e43f9ebf10bce30/openai/openai.go",
      date: "2026-11-16",
      refuses: ({ messages }) =>
        messages.some((message) => kindsIn(message).includes("file")) ? "invalid message format" : null,
    },
  ],
};

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

/** `without`: messages that do not count. */
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

function callsOf(messages: readonly ChatMessage[]) {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
}

function kindsIn(message: ChatMessage | undefined): string[] {
  return Array.isArray(message?.content) ? message.content.map(({ type }) => type) : [];
}
