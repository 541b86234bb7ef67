/** Converts the body of a request to the input of scripts and of the cache, or throws a `Refusal`. */
import { type Json, type JsonObject, PROVIDERS, type WirePart } from "@cairn/timeline";
import { functionsOf, type GenerateBody, type GoogleContent, type GooglePart, generateBody } from "../body/google.ts";
import { textPart } from "../cache/prompt.ts";
import type { ReadOptions, ReadRequest } from "../dialect/dialect.ts";
import { composePrompt, type PromptItem } from "../openai/prompt.ts";
import { GOOGLE } from "../refusals/google.ts";
import { enforce } from "../refusals/rule.ts";
import type { ModelRequest } from "../script/model-request.ts";
import { refuse, schemaRefusal } from "./errors.ts";

/** `/v1beta/models/gemini-4-argon:streamGenerateContent` */
export const GOOGLE_PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

export function readRequest(json: Json, options: ReadOptions): ReadRequest {
  const parsed = generateBody.safeParse(json, { reportInput: true });
  if (!parsed.success) throw schemaRefusal(parsed.error);
  const body = parsed.data;
  enforce(GOOGLE, body, ({ message }, status) => refuse(message, status));
  const [, model = "", method = ""] = GOOGLE_PATH.exec(options.path) ?? [];
  const { systemInstruction, contents = [] } = body;
  const items = [...(systemInstruction === undefined ? [] : [systemInstruction]), ...contents].map(promptItem);
  const tools = functionsOf(body).map(({ name, description, parametersJsonSchema: parameters }) => ({
    name,
    description,
    parameters: parameters ?? {},
  }));
  return {
    request: describe(body, json as JsonObject, model, method === "streamGenerateContent"),
    // Caches are automatic, and requests are not routed by a key.
    prompt: composePrompt({ model }, tools, items, options.countTokens, options.rules ?? PROVIDERS.automatic),
  };
}

function promptItem({ role = "user", parts = [] }: GoogleContent): PromptItem {
  return {
    role,
    parts: parts.map((part) => ({ content: { ...part } as JsonObject, parts: wireParts(part), isMarked: false })),
    isInput: role === "user",
  };
}

function wireParts({ text, inlineData, functionCall, functionResponse }: GooglePart): WirePart[] {
  if (text !== undefined) return [textPart(text)];
  if (functionCall !== undefined)
    return [textPart(functionCall.name), textPart(JSON.stringify(functionCall.args ?? {}))];
  if (functionResponse !== undefined) return [textPart(responseText(functionResponse.response))];
  if (inlineData === undefined) return [];
  const { mimeType: media_type, data } = inlineData;
  return [
    media_type.startsWith("image/")
      ? { type: "image", media_type, data }
      : { type: "document", media_type, data, nth: 1 },
  ];
}

/** The text of a call's response, which the package wraps into an object together with the name. */
function responseText(response: JsonObject): string {
  return typeof response.content === "string" ? response.content : JSON.stringify(response);
}

function describe(body: GenerateBody, json: JsonObject, model: string, stream: boolean): ModelRequest {
  const { contents = [], systemInstruction, generationConfig } = body;
  const texts = contents.map(textOf);
  return {
    api: "google",
    model,
    stream,
    maxTokens: generationConfig?.maxOutputTokens ?? null,
    system: systemInstruction === undefined ? "" : textOf(systemInstruction),
    toolNames: functionsOf(body).map(({ name }) => name),
    toolResults: contents.flatMap(({ parts = [] }) =>
      parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined
          ? []
          : [{ id: functionResponse.id ?? functionResponse.name, text: JSON.stringify(functionResponse.response) }],
      ),
    ),
    texts,
    lastText: texts.at(-1) ?? "",
    body: json,
  };
}

function textOf({ parts = [] }: GoogleContent): string {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
