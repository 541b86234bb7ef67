/** Anthropic Messages: cache markers are `cache_control` on the blocks themselves; results are in the user's role. */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import { inTwoRoles, placed, sealedBy, type WireFormat } from "./wire-format.ts";
import type { WireBlock, WirePart } from "./wire-request.ts";

export const anthropicMessages: WireFormat = {
  messagePerGroup: false,
  marksTools: true,
  marksAssistant: true,
  resultFiles: ["image", "document"],
  tool: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
  system: partOf,
  part: partOf,
  body(blocks, ttlAfter) {
    const spell = (test: (block: WireBlock) => boolean) =>
      placed(blocks, test).map(([at, { content }]) => marked(content, ttlAfter(at)));
    const tools = spell(({ kind }) => kind === "tools");
    const system = spell(({ kind }) => kind === "system");
    const names = { user: "user", assistant: "assistant" };
    return {
      ...(tools.length === 0 ? {} : { tools }),
      ...(system.length === 0 ? {} : { system }),
      messages: inTwoRoles(blocks, names, "content", (at, { content }) => [marked(content, ttlAfter(at))]),
    };
  },
};

function partOf(part: WirePart): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "call":
      return { type: "tool_use", id: part.id, name: part.name, input: part.input };
    case "reasoning": {
      const { signature, redactedData } = sealedBy(part, "anthropic");
      return redactedData === undefined
        ? { type: "thinking", thinking: part.text, signature: signature ?? "" }
        : { type: "redacted_thinking", data: redactedData };
    }
    case "result":
      return { type: "tool_result", tool_use_id: part.id, content: part.content.map(partOf) };
    default:
      return { type: part.type, source: { type: "base64", media_type: part.media_type, data: part.data } };
  }
}

/** Content with its marker. A TTL of five minutes is omitted, because it is the provider's default. */
function marked(content: JsonObject, ttl: CacheTtl | undefined): JsonObject {
  if (ttl === undefined) return content;
  return { ...content, cache_control: ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl } };
}
