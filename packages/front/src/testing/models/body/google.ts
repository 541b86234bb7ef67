/** The body of `generateContent` and `streamGenerateContent`, as published, function tools only. Unknown fields are refused. */
import { z } from "zod";
import { jsonObject } from "./json-object.ts";

const signed = { thought: z.boolean().optional(), thoughtSignature: z.string().optional() };
const inlineData = z.strictObject({ mimeType: z.string(), data: z.base64() });

/** The fields of a part; the table of refusals requires exactly one of them. */
const part = z.strictObject({
  text: z.string().optional(),
  inlineData: inlineData.optional(),
  fileData: z.strictObject({ mimeType: z.string().optional(), fileUri: z.string() }).optional(),
  functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: jsonObject.optional() }).optional(),
  functionResponse: z
    .strictObject({
      id: z.string().optional(),
      name: z.string(),
      response: jsonObject,
      parts: z.array(z.strictObject({ inlineData })).optional(),
    })
    .optional(),
  ...signed,
});

const content = z.strictObject({ role: z.enum(["user", "model"]).optional(), parts: z.array(part).optional() });

const declaration = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** Gemini's own schema format. It is not checked, because the AI SDK's package does not send it. */
  parametersJsonSchema: jsonObject.optional(),
  responseJsonSchema: jsonObject.optional(),
  behavior: z.string().optional(),
});

const generationConfig = z.strictObject({
  maxOutputTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().optional(),
  topK: z.int().optional(),
  frequencyPenalty: z.number().optional(),
  presencePenalty: z.number().optional(),
  stopSequences: z.array(z.string()).optional(),
  seed: z.int().optional(),
  candidateCount: z.literal(1).optional(),
  responseMimeType: z.string().optional(),
  responseJsonSchema: jsonObject.optional(),
  responseModalities: z.array(z.string()).optional(),
  mediaResolution: z.string().optional(),
  thinkingConfig: z
    .strictObject({
      thinkingBudget: z.int().optional(),
      includeThoughts: z.boolean().optional(),
      thinkingLevel: z.string().optional(),
    })
    .optional(),
});

export const generateBody = z.strictObject({
  contents: z.array(content).optional(),
  systemInstruction: content.optional(),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(declaration).optional() })).optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: z.enum(["AUTO", "ANY", "NONE", "VALIDATED"]).optional(),
          allowedFunctionNames: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
  generationConfig: generationConfig.optional(),
  safetySettings: z.array(z.strictObject({ category: z.string(), threshold: z.string() })).optional(),
  serviceTier: z.string().optional(),
});

export type GenerateBody = z.infer<typeof generateBody>;
export type GoogleContent = z.infer<typeof content>;
export type GooglePart = z.infer<typeof part>;
export type GoogleFunction = z.infer<typeof declaration>;

export function functionsOf({ tools = [] }: GenerateBody): GoogleFunction[] {
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
}
