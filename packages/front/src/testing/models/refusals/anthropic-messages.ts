/** Rules of Anthropic's Messages API for messages: order of roles, empty texts, calls and their results, pictures. */
import { countPdfPages, imageSize, type JsonObject } from "@cairn/timeline";
import {
  type AnthropicBlock,
  type AnthropicMessage,
  blocksOf,
  type MessagesBody,
  systemBlocks,
} from "../body/anthropic.ts";
import { isBound, signatureOf } from "../script/bound-seal.ts";
import { pngOf } from "./png-of.ts";
import { firstOf, type Rule } from "./rule.ts";

/** Counted on the base64 text, not on the decoded bytes. */
const MAX_IMAGE_CHARS = 5 * 1_024 * 1_024;
const MAX_FILES = 100;
const MANY_IMAGES = 20;
const MAX_SIDE = 8_000;
const MAX_SIDE_OF_MANY = 2_000;
const API = "https://platform.claude.com/docs/en/api/messages";

const base = { model: "claude-sonnet-5", max_tokens: 10 };
const text = (value: string): JsonObject => ({ type: "text", text: value });
const user = (...content: JsonObject[]): JsonObject => ({ role: "user", content });
const assistant = (...content: JsonObject[]): JsonObject => ({ role: "assistant", content });
const use = (id: string): JsonObject => ({ type: "tool_use", id, name: "look", input: {} });
const result = (id: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content: "seen" });
const image = (data: string): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});
const tools = [{ name: "look", input_schema: { type: "object" } }];
const talk = (...messages: JsonObject[]): JsonObject => ({ ...base, tools, messages });

export const ANTHROPIC_MESSAGES: readonly Rule<MessagesBody>[] = [
  {
    rule: "There is at least one message.",
    about: "roles",
    source: API,
    date: "2026-11-15",
    refuses: ({ messages }) => (messages.length === 0 ? "messages: at least one message is required" : null),
    example: { ...base, messages: [] },
  },
  {
    rule: "The first message is the user's.",
    about: "roles",
    source: API,
    date: "2026-11-15",
    refuses: ({ messages }) =>
      messages[0]?.role === "user" ? null : 'messages: first message must use the "user" role',
    example: talk(assistant(text("a")), user(text("b"))),
  },
  {
    rule: "Thinking is sent back as it was.",
    about: "text",
    source: "https://github.com/anthropics/claude-code/issues/63203",
    date: "2026-05-28",
    refuses: (body) =>
      firstOf(alteredThinking(body), ([at, nth]) =>
        isBound(body.model)
          ? null
          : `messages.${at}.content.${nth}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
      ),
    example: talk(
      user(text("a")),
      assistant({ type: "thinking", thinking: "b", signature: "not the seal" }, text("c")),
      user(text("d")),
    ),
  },
  {
    rule: "Thinking of a newer model comes after the same content as when it was written.",
    about: "text",
    source:
      "https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation",
    date: "2026-11-16",
    refuses: (body) =>
      firstOf(alteredThinking(body), ([at, nth]) =>
        isBound(body.model)
          ? `messages.${at}.content.${nth}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`
          : null,
      ),
    example: {
      ...talk(
        user(text("a")),
        assistant({ type: "thinking", thinking: "b", signature: "made after other words" }, text("c")),
        user(text("d")),
      ),
      model: "claude-sonnet-5-5",
    },
  },
  {
    rule: "With thinking by a budget, the last calls have their thinking before them.",
    about: "pairs",
    source: "https://github.com/anthropics/claude-code/issues/14264",
    date: "2025-12-17",
    refuses: ({ messages, thinking }) => {
      const at = messages.findLastIndex(({ role }) => role === "assistant");
      const message = messages[at];
      const first = message === undefined ? undefined : blocksOf(message)[0]?.type;
      return thinking?.type !== "enabled" || message === undefined || callsOf(message).length === 0 || isThinking(first)
        ? null
        : `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`;
    },
    example: {
      ...talk(user(text("a")), assistant(use("t1")), user(result("t1"))),
      model: "claude-haiku-4-5",
      max_tokens: 2_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
    },
  },
  {
    rule: "A model from Opus 4.7 and Sonnet 5 on thinks adaptively and takes no budget.",
    about: "settings",
    source: "https://github.com/stippi/code-assistant/pull/119",
    date: "2026-05-29",
    refuses: ({ model, thinking }) =>
      thinking?.type === "enabled" && /^claude-(?:opus-4-[78]|[a-z]+-[5-9])/.test(model)
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : null,
    example: {
      ...talk(user(text("a"))),
      max_tokens: 2_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
    },
  },
  {
    rule: "A text with a cache marker is not empty.",
    about: "text",
    source: "https://github.com/anthropics/claude-code/issues/62379",
    date: "2026-05-26",
    refuses: (body) =>
      firstOf(texts(body), ({ value, isMarked, place }) =>
        value === "" && isMarked ? `${place}.cache_control: cache_control cannot be set for empty text blocks` : null,
      ),
    example: talk(user({ ...text(""), cache_control: { type: "ephemeral" } })),
  },
  {
    rule: "Texts are not empty.",
    about: "text",
    source: "https://github.com/anthropics/claude-code/issues/59812",
    date: "2026-05-16",
    refuses: (body) =>
      firstOf(texts(body), ({ value, part }) =>
        value === "" ? `${part}: text content blocks must be non-empty` : null,
      ),
    example: talk(user(text(""))),
  },
  {
    rule: "Texts have something besides white space.",
    about: "text",
    source: "https://github.com/anthropics/claude-code/issues/23440",
    date: "2026-02-05",
    refuses: (body) =>
      firstOf(texts(body), ({ value, part }) =>
        /\S/.test(value) ? null : `${part}: text content blocks must contain non-whitespace text`,
      ),
    example: talk(user(text(" \n"))),
  },
  {
    rule: "Messages have content.",
    about: "text",
    source: API,
    date: "2026-11-15",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, { content }]) =>
        content.length === 0
          ? `messages.${at}: all messages must have non-empty content except for the optional final assistant message`
          : null,
      ),
    example: talk(user()),
  },
  {
    rule: "A call has one result.",
    about: "pairs",
    source: API,
    date: "2026-11-15",
    refuses: ({ messages }) =>
      firstOf(messages, (message) => {
        const ids = leadingResults(message);
        const twice = ids.find((id, at) => ids.indexOf(id) !== at);
        return twice === undefined
          ? null
          : `messages: each \`tool_use\` must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
      }),
    example: talk(user(text("a")), assistant(use("t1")), user(result("t1"), result("t1"))),
  },
  {
    rule: "Every call is answered at the beginning of the next message.",
    about: "pairs",
    source: "https://github.com/anthropics/claude-code/issues/5989",
    date: "2025-08-17",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, message]) => {
        const next = messages[at + 1];
        const answered = new Set(next === undefined ? [] : leadingResults(next));
        const missing = callsOf(message).filter((id) => !answered.has(id));
        return missing.length === 0
          ? null
          : `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
      }),
    example: talk(user(text("a")), assistant(use("t1")), user(text("b"), result("t1"))),
  },
  {
    rule: "Every result answers a call of the message before.",
    about: "pairs",
    source: "https://github.com/anthropics/claude-code/issues/13460",
    date: "2025-12-09",
    refuses: ({ messages }) =>
      firstOf(messages.entries(), ([at, message]) => {
        const before = messages[at - 1];
        const open = new Set(before === undefined ? [] : callsOf(before));
        return firstOf(blocksOf(message).entries(), ([nth, block]) =>
          block.type === "tool_result" && !open.has(block.tool_use_id)
            ? `messages.${at}.content.${nth}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
            : null,
        );
      }),
    example: talk(user(result("t9"))),
  },
  {
    rule: "Ids of calls are unique.",
    about: "pairs",
    source: API,
    date: "2026-11-15",
    refuses: ({ messages }) => {
      const seen = new Set<string>();
      return firstOf(messages.entries(), ([at, message]) =>
        firstOf(callsOf(message), (id) => {
          if (seen.has(id)) return `messages.${at}: \`tool_use\` ids must be unique`;
          seen.add(id);
          return null;
        }),
      );
    },
    example: talk(user(text("a")), assistant(use("t1"), use("t1")), user(result("t1"))),
  },
  {
    rule: "The last message is the user's.",
    about: "roles",
    source: "https://github.com/cortexkit/magic-context/issues/511",
    date: "2026-09-23",
    refuses: ({ messages }) =>
      messages.at(-1)?.role === "assistant"
        ? "This model does not support assistant message prefill. The conversation must end with a user message."
        : null,
    example: talk(user(text("a")), assistant(text("b"))),
  },
  {
    rule: "A request has at most 100 pictures and pages of documents together.",
    about: "counts",
    source: "https://github.com/anthropics/claude-code/issues/3397",
    date: "2025-07-12",
    refuses: (body) => {
      const images = imagesOf(body).length;
      const pages = pagesOf(body);
      return images + pages > MAX_FILES
        ? `Too much media: ${pages} document pages + ${images} images > ${MAX_FILES}`
        : null;
    },
    example: talk(user(...Array.from({ length: MAX_FILES + 1 }, () => image("AAAA")))),
  },
  {
    rule: "A picture has at most 5 MB as base64.",
    about: "sizes",
    source: "https://github.com/earendil-works/pi/pull/424",
    date: "2026-01-03",
    refuses: (body) =>
      firstOf(imagesOf(body), ({ data, place }) =>
        data.length > MAX_IMAGE_CHARS
          ? `${place}.image.source.base64: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_IMAGE_CHARS} bytes`
          : null,
      ),
    example: talk(user(image("A".repeat(MAX_IMAGE_CHARS + 4)))),
  },
  {
    rule: "A side of a picture has at most 8,000 pixels.",
    about: "sizes",
    source: "https://github.com/anthropics/claude-code/issues/4778",
    date: "2025-08-04",
    refuses: (body) => tooWide(body, MAX_SIDE, "allowed size"),
    example: talk(user(image(pngOf(MAX_SIDE + 1, 10)))),
  },
  {
    rule: "In a request with more than 20 pictures a side has at most 2,000 pixels.",
    about: "sizes",
    source: "https://github.com/anthropics/claude-code/issues/49537",
    date: "2026-04-16",
    refuses: (body) =>
      imagesOf(body).length > MANY_IMAGES
        ? tooWide(body, MAX_SIDE_OF_MANY, "allowed size for many-image requests")
        : null,
    example: talk(
      user(image(pngOf(10, MAX_SIDE_OF_MANY + 1)), ...Array.from({ length: MANY_IMAGES }, () => image("AAAA"))),
    ),
  },
];

/** The message and block numbers of thinking whose signature does not fit. */
function alteredThinking(body: MessagesBody): (readonly [at: number, nth: number])[] {
  return body.messages.flatMap((message, at) =>
    blocksOf(message).flatMap((block, nth) => {
      if (block.type !== "thinking") return [];
      const before = { ...body, messages: body.messages.slice(0, at) };
      return block.signature === signatureOf(block.thinking, before) ? [] : [[at, nth] as const];
    }),
  );
}

function isThinking(type: AnthropicBlock["type"] | undefined): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

interface PlacedText {
  readonly value: string;
  readonly isMarked: boolean;
  readonly part: "system" | "messages";
  readonly place: string;
}

function texts(body: MessagesBody): PlacedText[] {
  const found: PlacedText[] = [];
  const add = (block: Extract<AnthropicBlock, { type: "text" }>, part: PlacedText["part"], place: string) =>
    found.push({ value: block.text, isMarked: block.cache_control != null, part, place });
  for (const [at, block] of systemBlocks(body).entries()) add(block, "system", `system.${at}`);
  for (const [at, message] of body.messages.entries())
    for (const [nth, block] of message.content.length === 0 ? [] : blocksOf(message).entries()) {
      const place = `messages.${at}.content.${nth}`;
      if (block.type === "text") add(block, "messages", place);
      if (block.type === "tool_result" && Array.isArray(block.content))
        for (const [inner, part] of block.content.entries())
          if (part.type === "text") add(part, "messages", `${place}.content.${inner}`);
    }
  return found;
}

function callsOf(message: AnthropicMessage): string[] {
  return blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

function leadingResults(message: AnthropicMessage): string[] {
  const ids: string[] = [];
  for (const block of blocksOf(message)) {
    if (block.type !== "tool_result") break;
    ids.push(block.tool_use_id);
  }
  return ids;
}

interface PlacedImage {
  readonly data: string;
  readonly place: string;
}

function imagesOf({ messages }: MessagesBody): PlacedImage[] {
  return messages.flatMap((message, at) =>
    blocksOf(message).flatMap((block, nth) =>
      imagesIn(block).map((data) => ({ data, place: `messages.${at}.content.${nth}` })),
    ),
  );
}

/** A document whose pages cannot be counted counts as one page. */
function pagesOf({ messages }: MessagesBody): number {
  const documents = messages.flatMap((message) => blocksOf(message).flatMap(documentsIn));
  return documents.reduce((sum, data) => sum + (countPdfPages(data) ?? 1), 0);
}

function documentsIn(block: AnthropicBlock): string[] {
  if (block.type === "document") return [block.source.type === "base64" ? block.source.data : ""];
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return [];
  return block.content.flatMap((part) => (part.type === "document" ? documentsIn(part) : []));
}

function tooWide(body: MessagesBody, most: number, what: string): string | null {
  return firstOf(imagesOf(body), ({ data, place }) => {
    const size = imageSize(data);
    return size !== null && Math.max(size.width, size.height) > most
      ? `${place}.image.source.base64.data: At least one of the image dimensions exceed max ${what}: ${most} pixels`
      : null;
  });
}

/** Base64 of the pictures in a block; an empty text for a picture that is given by address. */
export function imagesIn(block: AnthropicBlock): string[] {
  if (block.type === "image") return [block.source.type === "base64" ? block.source.data : ""];
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return [];
  return block.content.flatMap((part) => (part.type === "image" ? imagesIn(part) : []));
}
