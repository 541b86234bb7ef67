/** Amazon Bedrock Converse: all history in one user message, markers as `cachePoint` blocks of their own. */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import { isHistory, placed, type WireFormat } from "./wire-format.ts";
import type { WireBlock, WirePart } from "./wire-request.ts";

export const bedrockConverse: WireFormat = {
  messagePerGroup: false,
  marksTools: true,
  tool: ({ name, description, schema }) => ({ toolSpec: { name, description, inputSchema: { json: schema } } }),
  system: partOf,
  part: partOf,
  body(blocks, ttlAfter) {
    const spell = (test: (block: WireBlock) => boolean) =>
      placed(blocks, test).flatMap(([at, { content }]) => [content, ...cachePoint(ttlAfter(at))]);
    const tools = spell(({ kind }) => kind === "tools");
    const system = spell(({ kind }) => kind === "system");
    const content = spell(isHistory);
    return {
      ...(tools.length === 0 ? {} : { toolConfig: { tools } }),
      ...(system.length === 0 ? {} : { system }),
      messages: content.length === 0 ? [] : [{ role: "user", content }],
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
  }
}

/** Five minutes is the provider's default, so it is omitted. */
function cachePoint(ttl: CacheTtl | undefined): JsonObject[] {
  if (ttl === undefined) return [];
  return [{ cachePoint: ttl === "5m" ? { type: "default" } : { type: "default", ttl } }];
}
