/** OpenAI's Responses API. */
import type { Dialect, Failure } from "../dialect/dialect.ts";
import type { ErrorAnswer } from "../http/refusal.ts";
import { authorize, openaiError, openaiFailure, refuseJson } from "../openai/errors.ts";
import { SIZES } from "../refusals/sizes.ts";
import { outputItems, response, responseFailure, responseStream, responseStreamError } from "./answer.ts";
import { readRequest } from "./read-request.ts";

const TOO_LONG = "Your input exceeds the context window of this model. Please adjust your input and try again.";

export const openaiResponses: Dialect = {
  api: "openai-responses",
  path: "/v1/responses",
  maxBytes: SIZES.openai.maxBytes,
  authorize,
  refuseJson,
  read: readRequest,
  fail,
  failInStream: (failure, generation) => responseFailure(failure, TOO_LONG, generation),
  headers: (nth) => ({ "x-request-id": `req_sim_${nth}` }),
  stream: responseStream,
  streamError: responseStreamError,
  message: response,
  storedItems: (generation) => (generation.request.body.store === false ? [] : outputItems(generation)),
};

function fail(failure: Failure): ErrorAnswer {
  if (failure.kind === "context_limit") return openaiError(400, TOO_LONG, "context_length_exceeded", "input");
  return openaiFailure(failure);
}
