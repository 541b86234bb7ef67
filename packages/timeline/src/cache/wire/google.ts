/**
 * Google Gemini: two roles, `user` and `model`, and a cache without markers. Results are in messages of their own, and
 * contain text only. Pictures follow in the user's role.
 */
import type { JsonObject } from "../../base/json.ts";
import { isHistory, placed, sealedBy, type WireFormat } from "./wire-format.ts";
import type { CallPart, WirePart, WireRole } from "./wire-request.ts";

export const googleGenerate: WireFormat = {
  messagePerGroup: true,
  marksTools: false,
  marksAssistant: false,
  resultFiles: [],
  tool: ({ name, description, schema }) => ({ name, description, parametersJsonSchema: schema }),
  system: partOf,
  part: partOf,
  body(blocks) {
    const functionDeclarations = placed(blocks, ({ kind }) => kind === "tools").map(([, { content }]) => content);
    const system = placed(blocks, ({ kind }) => kind === "system").map(([, { content }]) => content);
    const contents: { role: WireRole; parts: JsonObject[] }[] = [];
    for (const [, { content, role = "user", startsMessage }] of placed(blocks, isHistory)) {
      if (startsMessage) contents.push({ role, parts: [] });
      contents.at(-1)?.parts.push(content);
    }
    return {
      ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
      contents: contents.map(({ role, parts }) => ({ role: role === "assistant" ? "model" : "user", parts })),
      ...(functionDeclarations.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
    };
  },
};

function signed(part: Pick<CallPart, "sealed">): JsonObject {
  const { thoughtSignature } = sealedBy(part, "google");
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

function partOf(part: WirePart): JsonObject {
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "call":
      return { functionCall: { id: part.id, name: part.name, args: part.input }, ...signed(part) };
    case "reasoning":
      return { text: part.text, thought: true, ...signed(part) };
    case "result": {
      const text = part.content.map((each) => (each.type === "text" ? each.text : "")).join("");
      return { functionResponse: { id: part.id, name: part.name, response: { name: part.name, content: text } } };
    }
    default:
      return { inlineData: { mimeType: part.media_type, data: part.data } };
  }
}
