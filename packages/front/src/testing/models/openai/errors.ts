/** Errors as OpenAI words them: `{"error":{"message","type","param","code"}}`. */
import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Failure } from "../dialect/dialect.ts";
import { deepest } from "../dialect/zod-issue.ts";
import { type ErrorAnswer, Refusal } from "../http/refusal.ts";
import type { Fault } from "../refusals/rule.ts";

export function openaiError(
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
): ErrorAnswer {
  return { status, body: { error: { message, type: typeOf(status), param, code } } };
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

export function refuse(message: string, code: string | null, param: string | null): Refusal {
  return new Refusal(openaiError(400, message, code, param));
}

export function tableRefusal({ message, code = null, param = null }: Fault, status: number): Refusal {
  return new Refusal(openaiError(status, message, code, param));
}

/** Features that the simulator does not support are rejected, so that no test relies on them by accident. */
export function refuseUnknown(what: string, param: string): Refusal {
  return refuse(`The simulator does not know ${what}.`, "not_simulated", param);
}

export function authorize(headers: IncomingHttpHeaders, apiKey: string | undefined): void {
  const [, key] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
  if (key === undefined)
    throw new Refusal(
      openaiError(
        401,
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      ),
    );
  if (apiKey !== undefined && key !== apiKey)
    throw new Refusal(openaiError(401, "Incorrect API key provided.", "invalid_api_key"));
}

export function refuseJson(problem: string): ErrorAnswer {
  return openaiError(400, `We could not parse the JSON body of your request. (${problem})`);
}

/** Failures with the same text in both APIs. */
export function openaiFailure(failure: Exclude<Failure, { kind: "context_limit" }>): ErrorAnswer {
  switch (failure.kind) {
    case "status": {
      const code = failure.status === 401 ? "invalid_api_key" : null;
      return openaiError(failure.status, failure.message ?? `Simulated error ${failure.status}`, code);
    }
    case "overloaded":
      return openaiError(
        503,
        "The server is currently overloaded with other requests. Sorry about that! You can retry your request.",
        "server_overloaded",
      );
    case "rate_limited":
      return openaiError(
        429,
        "Rate limit reached on tokens per min (TPM). Please try again later.",
        "rate_limit_exceeded",
      );
    case "too_large":
      return openaiError(413, `Request body exceeds ${failure.maxBytes} bytes.`, "request_too_large");
  }
}

/** The first issue that a schema found, with the place as OpenAI writes it: `messages[0].content`. */
export function schemaRefusal(error: z.ZodError): Refusal {
  const issue = deepest(error.issues);
  const param = placeOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const place = placeOf([...issue.path, issue.keys[0] ?? ""]);
    return refuse(`Unknown parameter: '${place}'.`, "unknown_parameter", place);
  }
  if (issue.code === "invalid_type" && issue.input === undefined)
    return refuse(`Missing required parameter: '${param}'.`, "missing_required_parameter", param);
  if (issue.code === "invalid_type")
    return refuse(`Invalid type for '${param}': ${issue.message}.`, "invalid_type", param);
  if (issue.code === "too_small" && issue.origin === "array")
    return refuse(
      `Invalid '${param}': empty array. Expected an array with minimum length ${issue.minimum}, but got an empty array instead.`,
      "empty_array",
      param,
    );
  return refuse(`Invalid value for '${param}': ${issue.message}.`, "invalid_value", param);
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, key) =>
      typeof key === "number" ? `${place}[${key}]` : place === "" ? String(key) : `${place}.${String(key)}`,
    "",
  );
}
