/** Amazon Bedrock Converse: cache markers are separate `cachePoint` blocks, and results are in the user's role. */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import { inTwoRoles, placed, sealedBy, type WireFormat } from "./wire-format.ts";
import type { WireBlock, WirePart } from "./wire-request.ts";

export const bedrockConverse: WireFormat = {
  messagePerGroup: false,
  marksTools: true,
  marksAssistant: true,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultContentBlock.html (2026-11-16).
  resultFiles: ["image", "document"],
  tool: ({ name, description, schema }) => ({ toolSpec: { name, description, inputSchema: { json: schema } } }),
  system: partOf,
  part: partOf,
  body(blocks, ttlAfter) {
    const spell = (test: (block: WireBlock) => boolean) =>
      placed(blocks, test).flatMap(([at, { content }]) => [content, ...cachePoint(ttlAfter(at))]);
    const tools = spell(({ kind }) => kind === "tools");
    const system = spell(({ kind }) => kind === "system");
    const names = { user: "user", assistant: "assistant" };
    return {
      ...(tools.length === 0 ? {} : { toolConfig: { tools } }),
      ...(system.length === 0 ? {} : { system }),
      messages: inTwoRoles(blocks, names, "content", (at, { content }) => [content, ...cachePoint(ttlAfter(at))]),
    };
  },
};

function partOf(part: WirePart): JsonObject {
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "image":
      return { image: { format: part.media_type.slice("image/".length), source: { bytes: part.data } } };
    case "document":
      return { document: { format: "pdf", name: `document-${part.nth}`, source: { bytes: part.data } } };
    case "call":
      return { toolUse: { toolUseId: part.id, name: part.name, input: part.input } };
    case "reasoning": {
      // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html (2026-11-17). The
      // package also knows an older form, and returns it as it came.
      const { signature, redactedContent, redactedData } = sealedBy(part, "amazonBedrock");
      if (redactedContent !== undefined) return { reasoningContent: { redactedContent } };
      if (redactedData !== undefined) return { reasoningContent: { redactedReasoning: { data: redactedData } } };
      return { reasoningContent: { reasoningText: { text: part.text, signature: signature ?? "" } } };
    }
    case "result":
      return { toolResult: { toolUseId: part.id, content: part.content.map(partOf) } };
  }
}

/** The marker. A TTL of five minutes is omitted, because it is the provider's default. */
function cachePoint(ttl: CacheTtl | undefined): JsonObject[] {
  if (ttl === undefined) return [];
  return [{ cachePoint: ttl === "5m" ? { type: "default" } : { type: "default", ttl } }];
}
