/** Converts the body of a request to the input of scripts and of the cache, or throws a `Refusal`. */
import { type Json, type JsonObject, PROVIDERS } from "@cairn/timeline";
import { readPrompt } from "../anthropic/prompt.ts";
import { describeMessages } from "../anthropic/read-request.ts";
import { converseBody, isClaude } from "../body/bedrock.ts";
import type { ReadOptions, ReadRequest } from "../dialect/dialect.ts";
import { ANTHROPIC_MESSAGES } from "../refusals/anthropic-messages.ts";
import { ANTHROPIC_TOOLS } from "../refusals/anthropic-tools.ts";
import { BEDROCK } from "../refusals/bedrock.ts";
import { enforce } from "../refusals/rule.ts";
import { refuse, refuseByModel, schemaRefusal } from "./errors.ts";
import { toMessages } from "./to-messages.ts";

/** `/v1/model/us.anthropic.claude-sonnet-5-v1%3A0/converse-stream` */
export const BEDROCK_PATH = /^\/v1\/model\/([^/]+)\/(converse|converse-stream)$/;

export function readRequest(json: Json, options: ReadOptions): ReadRequest {
  const parsed = converseBody.safeParse(json, { reportInput: true });
  if (!parsed.success) throw schemaRefusal(parsed.error);
  const body = parsed.data;
  const [, encoded = "", method = ""] = BEDROCK_PATH.exec(options.path) ?? [];
  const model = decodeURIComponent(encoded);
  enforce(BEDROCK, { ...body, model }, ({ message }, status) => refuse(message, status));
  const messages = toMessages(body, model);
  if (isClaude(model))
    enforce([...ANTHROPIC_TOOLS, ...ANTHROPIC_MESSAGES], messages, ({ message }) => refuseByModel(message));
  const rules = options.rules ?? (isClaude(model) ? PROVIDERS.bedrock : PROVIDERS.automatic);
  const stream = method === "converse-stream";
  return {
    request: { ...describeMessages(messages, json as JsonObject), api: "bedrock", model, stream },
    prompt: readPrompt(messages, { ...options, rules }),
  };
}
