/** OpenAI's Chat Completions API. */
import type { Dialect, Failure } from "../dialect/dialect.ts";
import type { ErrorAnswer } from "../http/refusal.ts";
import { authorize, openaiError, openaiFailure, refuseJson } from "../openai/errors.ts";
import { SIZES } from "../refusals/sizes.ts";
import { completion, completionStream, completionStreamError } from "./answer.ts";
import { readRequest } from "./read-request.ts";

export const openaiChat: Dialect = {
  api: "openai-chat",
  path: "/v1/chat/completions",
  maxBytes: SIZES.openai.maxBytes,
  authorize,
  refuseJson,
  read: readRequest,
  fail,
  headers: (nth) => ({ "x-request-id": `req_sim_${nth}` }),
  stream: completionStream,
  streamError: completionStreamError,
  message: completion,
};

function fail(failure: Failure): ErrorAnswer {
  if (failure.kind !== "context_limit") return openaiFailure(failure);
  const { tokens, limit, maxTokens } = failure;
  const message =
    tokens > limit || maxTokens === null
      ? `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
      : `This model's maximum context length is ${limit} tokens. However, you requested ${tokens + maxTokens} tokens (${tokens} in the messages, ${maxTokens} in the completion). Please reduce the length of the messages or completion.`;
  return openaiError(400, message, "context_length_exceeded", "messages");
}
