/** Google's Gemini API. */
import type { Dialect } from "../dialect/dialect.ts";
import { SIZES } from "../refusals/sizes.ts";
import { googleMessage, googleStream, googleStreamError } from "./answer.ts";
import { googleError, googleFailure, refuse } from "./errors.ts";
import { GOOGLE_PATH, readRequest } from "./read-request.ts";

export const googleGemini: Dialect = {
  api: "google",
  path: GOOGLE_PATH,
  maxBytes: SIZES.google.maxBytes,
  authorize(headers, apiKey) {
    const key = headers["x-goog-api-key"];
    if (key === undefined || key === "")
      throw refuse(
        "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.",
        403,
      );
    if (apiKey !== undefined && key !== apiKey) throw refuse("API key not valid. Please pass a valid API key.");
  },
  refuseJson: (problem) => googleError(400, `Invalid JSON payload received. ${problem}`),
  read: readRequest,
  fail: googleFailure,
  headers: () => ({}),
  stream: googleStream,
  streamError: googleStreamError,
  message: googleMessage,
};
