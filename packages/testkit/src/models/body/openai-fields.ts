/** Pieces of bodies that both of OpenAI's APIs have. */
import type { WirePart } from "@cairn/timeline";
import { z } from "zod";
import { refuse } from "../openai/errors.ts";

export const breakpoint = z.strictObject({ mode: z.literal("explicit"), ttl: z.literal("30m").optional() });
/** Names of calls and of formats; names of tools are in the table of refusals. */
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
