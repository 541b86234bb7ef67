/**
 * A Messages body as Anthropic's cache compares it: tools, system, messages, one position per block.
 *
 * On the Claude API, a run of consecutive `tool_use` blocks is one position, and so is a run of `tool_result`; a marker
 * inside a run divides it into two positions. The tool choice, the thinking settings, the effort and whether there are
 * pictures are part of every message's prefix: after a change of one of them, only tools and system text are still in
 * the cache. The schema of the answer becomes a system text of its own
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs, 2026-11-16).
 */
import {
  type Breakpoint,
  type CacheTtl,
  hashText,
  type JsonObject,
  PROVIDERS,
  type ProviderRules,
  type WirePart,
} from "@cairn/timeline";
import type { DescribedBlock } from "../../cache/described-block.ts";
import {
  type AnthropicBlock,
  blocksOf,
  type CacheControl,
  type MessagesBody,
  type ResultContent,
  systemBlocks,
} from "../body/anthropic.ts";
import { describePromptBlock, type Prompt, type PromptBlock, textPart } from "../cache/prompt.ts";
import type { ReadOptions } from "../dialect/dialect.ts";
import { imagesIn } from "../refusals/anthropic-messages.ts";
import { lifeOf } from "../refusals/anthropic-tools.ts";

interface Position {
  readonly run: string | null;
  readonly block: DescribedBlock;
  readonly ttl: CacheTtl | null;
}

export function readPrompt(body: MessagesBody, options: ReadOptions): Prompt {
  const { countTokens, rules = PROVIDERS.anthropic, imagesResetMessages } = options;
  const positions: Position[] = [];
  const add = (block: PromptBlock, marker: CacheControl | null | undefined, run: string | null = null) => {
    positions.push({
      run,
      block: describePromptBlock(block, countTokens),
      ttl: marker == null ? null : lifeOf(marker),
    });
  };
  for (const { cache_control, ...tool } of body.tools ?? []) {
    const { name, description, input_schema: schema } = tool;
    const text = JSON.stringify({ name, description, schema });
    add({ kind: "tools", content: tool, parts: [textPart(text)], startsMessage: false }, cache_control);
  }
  const format = body.output_config?.format;
  if (format !== undefined) {
    const parts = [textPart(JSON.stringify(format.schema))];
    add({ kind: "system", content: { format }, parts, startsMessage: true }, null);
  }
  for (const { cache_control, ...block } of systemBlocks(body))
    add({ kind: "system", content: block, parts: [textPart(block.text)], startsMessage: true }, cache_control);
  const lastMessage = body.messages.length - 1;
  for (const [at, message] of body.messages.entries()) {
    const blocks = blocksOf(message);
    for (const [nth, block] of blocks.entries()) {
      const ground = at === 0 && nth === 0 ? { ground: groundOf(body, imagesResetMessages) } : {};
      const content = { ...unmarked(block), ...ground, ...(nth === 0 ? { role: message.role } : {}) };
      const isLast = at === lastMessage && nth === blocks.length - 1;
      const own = "cache_control" in block ? block.cache_control : null;
      const run = block.type === "tool_use" || block.type === "tool_result" ? block.type : null;
      const marker = own ?? innerMarker(block) ?? (isLast ? body.cache_control : null);
      add({ kind: "stable", content, parts: partsOf(block, rules), startsMessage: nth === 0 }, marker, run);
    }
  }
  return { cache: body.model, rules, ...collapse(positions, rules), lookups: [] };
}

function groundOf({ tool_choice, thinking, output_config, messages }: MessagesBody, imagesReset: boolean): JsonObject {
  const pictures =
    imagesReset && messages.some((message) => blocksOf(message).some((block) => imagesIn(block).length > 0));
  const effort = output_config?.effort ?? null;
  return { tool_choice: tool_choice ?? null, thinking: thinking ?? null, effort, pictures };
}

function collapse(
  positions: readonly Position[],
  { lookup }: ProviderRules,
): { blocks: DescribedBlock[]; breakpoints: Breakpoint[] } {
  const blocks: DescribedBlock[] = [];
  const breakpoints: Breakpoint[] = [];
  let open: string | null = null;
  const joins = lookup.kind === "lookback" && lookup.joinsRuns;
  for (const { run: own, block, ttl } of positions) {
    const run = joins ? own : null;
    const before = run !== null && run === open ? blocks.pop() : undefined;
    blocks.push(before === undefined ? block : join(before, block));
    if (ttl !== null) breakpoints.push({ i: blocks.length - 1, ttl });
    open = ttl === null ? run : null;
  }
  return { blocks, breakpoints };
}

function join(a: DescribedBlock, b: DescribedBlock): DescribedBlock {
  return { hash: hashText(`${a.hash} ${b.hash}`), tokens: a.tokens + b.tokens, kind: a.kind };
}

function unmarked(block: AnthropicBlock): JsonObject {
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return withoutMarker(block);
  return { ...withoutMarker(block), content: block.content.map(withoutMarker) };
}

function withoutMarker(block: object): JsonObject {
  const { cache_control: _, ...rest } = block as JsonObject;
  return rest;
}

/** A marker inside a result covers the prefix up to the result. */
function innerMarker(block: AnthropicBlock): CacheControl | null | undefined {
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return null;
  return block.content.findLast(({ cache_control }) => cache_control != null)?.cache_control;
}

function partsOf(block: AnthropicBlock, rules: ProviderRules): WirePart[] {
  const sealed = (fields: JsonObject): JsonObject => ({
    [rules.id === "bedrock" ? "amazonBedrock" : "anthropic"]: fields,
  });
  switch (block.type) {
    case "text":
      return [textPart(block.text)];
    case "image":
      return block.source.type === "base64"
        ? [{ type: "image", media_type: block.source.media_type, data: block.source.data }]
        : [{ type: "image", media_type: "image/png", data: "" }];
    case "document":
      if (block.source.type === "text") return [textPart(block.source.data)];
      return [
        {
          type: "document",
          media_type: "application/pdf",
          data: block.source.type === "base64" ? block.source.data : "",
          nth: 1,
        },
      ];
    case "tool_use":
      return [textPart(block.name), textPart(JSON.stringify(block.input))];
    case "tool_result":
      return resultParts(block.content, rules);
    // Sealed reasoning, which may be longer than the readable text, is what the provider bills.
    case "thinking":
      return [{ type: "reasoning", text: block.thinking, sealed: sealed({ signature: block.signature }) }];
    case "redacted_thinking":
      return [
        {
          type: "reasoning",
          text: "",
          sealed: sealed({ [rules.id === "bedrock" ? "redactedContent" : "redactedData"]: block.data }),
        },
      ];
  }
}

function resultParts(content: ResultContent, rules: ProviderRules): WirePart[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [textPart(content)] : content.flatMap((part) => partsOf(part, rules));
}
