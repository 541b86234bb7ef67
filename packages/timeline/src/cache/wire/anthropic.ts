/** Anthropic Messages: all history in one user message, markers as `cache_control` on the blocks themselves. */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import { isHistory, placed, type WireFormat } from "./wire-format.ts";
import type { WireBlock, WirePart } from "./wire-request.ts";

export const anthropicMessages: WireFormat = {
  messagePerGroup: false,
  marksTools: true,
  tool: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
  system: partOf,
  part: partOf,
  body(blocks, ttlAfter) {
    const spell = (test: (block: WireBlock) => boolean) =>
      placed(blocks, test).map(([at, { content }]) => marked(content, ttlAfter(at)));
    const tools = spell(({ kind }) => kind === "tools");
    const system = spell(({ kind }) => kind === "system");
    const content = spell(isHistory);
    return {
      ...(tools.length === 0 ? {} : { tools }),
      ...(system.length === 0 ? {} : { system }),
      messages: content.length === 0 ? [] : [{ role: "user", content }],
    };
  },
};

function partOf(part: WirePart): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text };
  return { type: part.type, source: { type: "base64", media_type: part.media_type, data: part.data } };
}

/** Five minutes is the provider's default, so it is omitted. */
function marked(content: JsonObject, ttl: CacheTtl | undefined): JsonObject {
  if (ttl === undefined) return content;
  return { ...content, cache_control: ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl } };
}
