/** Rules about messages that a schema cannot say: order of roles, empty texts, and calls paired with their results. */
import { refuse } from "./errors.ts";
import { type AnthropicBlock, type AnthropicMessage, blocksOf, type MessagesBody, systemBlocks } from "./schema.ts";

/** Bytes of one decoded image. */
const MAX_IMAGE_BYTES = 5 * 1_024 * 1_024;
const MAX_IMAGES = 100;

export function checkMessages(body: MessagesBody): void {
  const { messages } = body;
  if (messages.length === 0) throw refuse("messages: at least one message is required");
  if (messages[0]?.role !== "user") throw refuse('messages: first message must use the "user" role');
  for (const [at, { text, cache_control }] of systemBlocks(body).entries())
    checkText(text, cache_control != null, "system", `system.${at}`);
  for (const [at, message] of messages.entries()) checkContent(message, at);
  checkPairs(messages);
  if (messages.at(-1)?.role === "assistant")
    throw refuse(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  checkImages(messages);
}

function checkContent(message: AnthropicMessage, at: number): void {
  if (message.content.length === 0)
    throw refuse(
      `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
    );
  for (const [nth, block] of blocksOf(message).entries()) {
    const place = `messages.${at}.content.${nth}`;
    if (block.type === "text") checkText(block.text, block.cache_control != null, "messages", place);
    if (block.type === "tool_result" && Array.isArray(block.content))
      for (const [inner, part] of block.content.entries())
        if (part.type === "text")
          checkText(part.text, part.cache_control != null, "messages", `${place}.content.${inner}`);
  }
}

function checkText(text: string, isMarked: boolean, part: string, place: string): void {
  if (text === "" && isMarked)
    throw refuse(`${place}.cache_control: cache_control cannot be set for empty text blocks`);
  if (text === "") throw refuse(`${part}: text content blocks must be non-empty`);
  if (!/\S/.test(text)) throw refuse(`${part}: text content blocks must contain non-whitespace text`);
}

/** Every call is answered at the beginning of the next message, and every result answers a call of the one before. */
function checkPairs(messages: readonly AnthropicMessage[]): void {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const results = leadingResults(blocks);
    const missing = open.difference(results);
    if (missing.size > 0) throw unanswered(at - 1, missing);
    for (const [nth, block] of blocks.entries())
      if (block.type === "tool_result" && !open.has(block.tool_use_id))
        throw refuse(
          `messages.${at}.content.${nth}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        );
    open = new Set();
    for (const block of blocks) {
      if (block.type !== "tool_use") continue;
      if (seen.has(block.id)) throw refuse(`messages.${at}: \`tool_use\` ids must be unique`);
      seen.add(block.id);
      open.add(block.id);
    }
  }
  if (open.size > 0) throw unanswered(messages.length - 1, open);
}

function leadingResults(blocks: readonly AnthropicBlock[]): Set<string> {
  const results = new Set<string>();
  for (const block of blocks) {
    if (block.type !== "tool_result") break;
    if (results.has(block.tool_use_id))
      throw refuse(
        `messages: each \`tool_use\` must have a single result. Found multiple \`tool_result\` blocks with id: ${block.tool_use_id}`,
      );
    results.add(block.tool_use_id);
  }
  return results;
}

function unanswered(at: number, ids: ReadonlySet<string>) {
  return refuse(
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...ids].join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkImages(messages: readonly AnthropicMessage[]): void {
  const images = messages.flatMap((message, at) =>
    blocksOf(message).flatMap((block, nth) =>
      imagesIn(block).map((data) => ({ data, place: `messages.${at}.content.${nth}` })),
    ),
  );
  if (images.length > MAX_IMAGES) throw refuse(`messages: too many images: ${images.length} > ${MAX_IMAGES}`);
  for (const { data, place } of images) {
    const bytes = Math.floor((data.length * 3) / 4);
    if (bytes > MAX_IMAGE_BYTES)
      throw refuse(
        `${place}.image.source.base64: image exceeds 5 MB maximum: ${bytes} bytes > ${MAX_IMAGE_BYTES} bytes`,
      );
  }
}

/** Base64 of the pictures in a block; the empty text for those given by address. */
export function imagesIn(block: AnthropicBlock): string[] {
  if (block.type === "image") return [block.source.type === "base64" ? block.source.data : ""];
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return [];
  return block.content.flatMap((part) => (part.type === "image" ? imagesIn(part) : []));
}
