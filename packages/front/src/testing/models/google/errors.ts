/** Errors as Google words them: `{"error":{"code","message","status"}}`. */
import type { z } from "zod";
import type { Failure } from "../dialect/dialect.ts";
import { deepest } from "../dialect/zod-issue.ts";
import { type ErrorAnswer, Refusal } from "../http/refusal.ts";

const NAMES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

export function googleError(status: number, message: string): ErrorAnswer {
  const name = NAMES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { status, body: { error: { code: status, message, status: name } } };
}

export function refuse(message: string, status = 400): Refusal {
  return new Refusal(googleError(status, message));
}

export function googleFailure(failure: Failure): ErrorAnswer {
  switch (failure.kind) {
    case "status":
      return googleError(failure.status, failure.message ?? `Simulated error ${failure.status}`);
    case "overloaded":
      return googleError(503, "The model is overloaded. Please try again later.");
    case "rate_limited":
      return googleError(429, "Resource has been exhausted (e.g. check quota).");
    case "too_large":
      return googleError(400, `Request payload size exceeds the limit: ${failure.maxBytes} bytes.`);
    case "context_limit":
      return googleError(
        400,
        `The input token count (${failure.tokens}) exceeds the maximum number of tokens allowed (${failure.limit}).`,
      );
  }
}

/** The first issue that a schema found, with the place as Google writes it: `contents[0].parts[0]`. */
export function schemaRefusal(error: z.ZodError): Refusal {
  const issue = deepest(error.issues);
  const place = issue.path.reduce<string>(
    (before, key) =>
      typeof key === "number" ? `${before}[${key}]` : `${before}${before === "" ? "" : "."}${String(key)}`,
    "",
  );
  if (issue.code === "unrecognized_keys") {
    const at = place === "" ? "" : ` at '${place}'`;
    return refuse(`Invalid JSON payload received. Unknown name "${issue.keys[0] ?? ""}"${at}: Cannot find field.`);
  }
  return refuse(`Invalid value at '${place}': ${issue.message}`);
}
