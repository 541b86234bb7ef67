/** Pieces of bodies that both of OpenAI's APIs have. */
import type { Json, WirePart } from "@cairn/timeline";
import { z } from "zod";
import { checkRoot, checkStrictSchema, checkToolSchema, ROOT_RULES } from "../tool-schema.ts";
import { refuse } from "./errors.ts";

export const breakpoint = z.strictObject({ mode: z.literal("explicit"), ttl: z.literal("30m").optional() });
export const functionName = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z0-9_-]+$/);

const cacheFields = {
  prompt_cache_key: z.string().optional(),
  prompt_cache_options: z
    .strictObject({ mode: z.enum(["implicit", "explicit"]).optional(), ttl: z.literal("30m").optional() })
    .optional(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullish(),
};

export const commonFields = {
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  store: z.boolean().nullish(),
  user: z.string().optional(),
  safety_identifier: z.string().max(64).optional(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).nullish(),
  ...cacheFields,
};

export const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

const IMAGE_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]*={0,2})$/;
const FILE_URL = /^data:(application\/pdf);base64,([A-Za-z0-9+/]*={0,2})$/;

/** A picture given as a data URL or by address. */
export function imagePart(url: string, param: string): WirePart {
  if (/^https?:\/\/\S+$/.test(url)) return { type: "image", media_type: "image/png", data: "" };
  const [, media_type, data] = IMAGE_URL.exec(url) ?? [];
  if (media_type !== undefined && data !== undefined && data !== "") return { type: "image", media_type, data };
  if (!url.startsWith("data:"))
    throw refuse(
      `Invalid '${param}'. Expected a valid URL, but got a value with an invalid format.`,
      "invalid_value",
      param,
    );
  throw refuse(
    "You uploaded an unsupported image. Please make sure your image has of one of the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    "invalid_image_format",
    param,
  );
}

/** A document given as a data URL; without one, a file the provider keeps. */
export function filePart(url: string | undefined, param: string): WirePart {
  const [, media_type = "application/pdf", data = ""] = url === undefined ? [] : (FILE_URL.exec(url) ?? []);
  if (url !== undefined && data === "")
    throw refuse(
      `Invalid file data: '${param}'. Expected a base64-encoded data URL with an application/pdf MIME type.`,
      "invalid_value",
      param,
    );
  return { type: "document", media_type, data, nth: 1 };
}

export interface FunctionTool {
  readonly name: string;
  readonly parameters?: Json | undefined;
  readonly strict?: boolean | null | undefined;
}

/** `placeAt`: where the parameters of a tool stand. */
export function checkFunctions(tools: readonly FunctionTool[], placeAt: (at: number) => string): void {
  const names = new Set<string>();
  for (const [at, { name, parameters, strict }] of tools.entries()) {
    if (names.has(name)) throw refuse(`Duplicate function name '${name}' in tools.`, "invalid_value", "tools");
    names.add(name);
    if (parameters == null) continue;
    const atRoot = checkRoot(parameters, ROOT_RULES.openai);
    if (atRoot !== null)
      throw refuse(`Invalid schema for function '${name}': ${atRoot}`, "invalid_function_parameters", placeAt(at));
    const problem = checkToolSchema(parameters) ?? (strict === true ? checkStrictSchema(parameters) : null);
    if (problem === null) continue;
    const context = problem.path.map((key) => `'${key}'`).join(", ");
    throw refuse(
      `Invalid schema for function '${name}': In context=(${context}), ${problem.message}`,
      "invalid_function_parameters",
      placeAt(at),
    );
  }
}

export function checkChoice(name: string | undefined, tools: readonly FunctionTool[], isGiven: boolean): void {
  if (isGiven && tools.length === 0)
    throw refuse("'tool_choice' is only allowed when 'tools' are specified.", "invalid_value", "tool_choice");
  if (name !== undefined && !tools.some((tool) => tool.name === name))
    throw refuse(`Tool choice 'function' not found in 'tools' parameter: '${name}'.`, "invalid_value", "tool_choice");
}
