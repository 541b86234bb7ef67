/** Anthropic's Messages API. */
import type { Dialect } from "../dialect/dialect.ts";
import { SIZES } from "../refusals/sizes.ts";
import { anthropicMessage, anthropicStream, anthropicStreamError } from "./answer.ts";
import { anthropicError, anthropicFailure, refuse } from "./errors.ts";
import { readRequest } from "./read-request.ts";

const VERSIONS = new Set(["2023-01-01", "2023-06-01"]);

export const anthropicMessages: Dialect = {
  api: "anthropic",
  path: "/v1/messages",
  maxBytes: SIZES.anthropic.maxBytes,
  authorize(headers, apiKey) {
    const key = headers["x-api-key"];
    if (key === undefined || key === "") throw refuse("x-api-key header is required", 401);
    if (apiKey !== undefined && key !== apiKey) throw refuse("invalid x-api-key", 401);
    const version = headers["anthropic-version"];
    if (version === undefined) throw refuse("anthropic-version: header is required");
    if (!VERSIONS.has(String(version))) throw refuse(`anthropic-version: "${version}" is not a valid version`);
  },
  refuseJson: (problem) => anthropicError(400, `The request body is not valid JSON: ${problem}`),
  read: readRequest,
  fail: anthropicFailure,
  headers: (nth) => ({ "request-id": `req_sim_${nth}` }),
  stream: anthropicStream,
  streamError: anthropicStreamError,
  message: anthropicMessage,
};
