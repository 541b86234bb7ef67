/** Errors as Bedrock words them: `{"message"}`, and the kind in a header. */
import type { z } from "zod";
import type { Failure } from "../dialect/dialect.ts";
import { deepest } from "../dialect/zod-issue.ts";
import { type ErrorAnswer, Refusal } from "../http/refusal.ts";

const TYPES: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

export function bedrockError(status: number, message: string): ErrorAnswer {
  const type = TYPES[status] ?? (status < 500 ? "ValidationException" : "InternalServerException");
  return { status, body: { message }, headers: { "x-amzn-errortype": type } };
}

export function refuse(message: string, status = 400): Refusal {
  return new Refusal(bedrockError(status, message));
}

/** A refusal of the model itself, which Bedrock passes on. */
export function refuseByModel(message: string): Refusal {
  return refuse(`The model returned the following errors: ${message}`);
}

export function bedrockFailure(failure: Failure): ErrorAnswer {
  switch (failure.kind) {
    case "status":
      return bedrockError(failure.status, failure.message ?? `Simulated error ${failure.status}`);
    case "overloaded":
      return bedrockError(503, "Bedrock is unable to process your request.");
    case "rate_limited":
      return bedrockError(429, "Too many requests, please wait before trying again.");
    case "too_large":
      return bedrockError(413, "The request body is too large.");
    case "context_limit":
      return bedrockError(400, "Input is too long for requested model.");
  }
}

/** The first issue that a schema found, worded as the validation of AWS does. */
export function schemaRefusal(error: z.ZodError): Refusal {
  const { path, message } = deepest(error.issues);
  return refuse(`1 validation error detected: Value at '${path.join(".")}' failed to satisfy constraint: ${message}`);
}
