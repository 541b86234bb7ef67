/** Errors as Anthropic words them: `{"type":"error","error":{"type","message"},"request_id"}`. */
import type { z } from "zod";
import type { Failure } from "../dialect/dialect.ts";
import { deepest } from "../dialect/zod-issue.ts";
import { type ErrorAnswer, Refusal } from "../http/refusal.ts";

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export function anthropicError(status: number, message: string): ErrorAnswer {
  const type = TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { status, body: { type: "error", error: { type, message }, request_id: null } };
}

export function refuse(message: string, status = 400): Refusal {
  return new Refusal(anthropicError(status, message));
}

export function anthropicFailure(failure: Failure): ErrorAnswer {
  switch (failure.kind) {
    case "status":
      return anthropicError(failure.status, failure.message ?? `Simulated error ${failure.status}`);
    case "overloaded":
      return anthropicError(529, "Overloaded");
    case "rate_limited":
      return anthropicError(
        429,
        "This request would exceed your organization's rate limit of 30,000 input tokens per minute.",
      );
    case "too_large":
      return anthropicError(413, "Request exceeds the maximum size");
    case "context_limit": {
      const { tokens, limit, maxTokens } = failure;
      return tokens > limit || maxTokens === null
        ? anthropicError(400, `prompt is too long: ${tokens} tokens > ${limit} maximum`)
        : anthropicError(
            400,
            `input length and \`max_tokens\` exceed context limit: ${tokens} + ${maxTokens} > ${limit}, decrease input length or \`max_tokens\` and try again`,
          );
    }
  }
}

/** The first issue that a schema found, with the place in Anthropic's dotted form. */
export function schemaRefusal(error: z.ZodError): Refusal {
  const issue = deepest(error.issues);
  const [part, nth, ...rest] = issue.path;
  // In some of its error texts, Anthropic calls these tools custom tools.
  const path = part === "tools" && nth !== undefined ? [part, nth, "custom", ...rest] : issue.path;
  const at = (...more: PropertyKey[]) => [...path, ...more].join(".");
  if (issue.code === "unrecognized_keys") return refuse(`${at(issue.keys[0] ?? "")}: Extra inputs are not permitted`);
  if (issue.code === "invalid_type" && issue.input === undefined) return refuse(`${at()}: Field required`);
  return refuse(`${at() || "body"}: ${issue.message}`);
}
