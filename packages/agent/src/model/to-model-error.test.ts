import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError } from "./model-error.ts";
import { toModelError } from "./to-model-error.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const api = (statusCode: number, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name: "AI_APICallError", statusCode, ...more });
const kindOf = (error: unknown) => toModelError(error, NOW).kind;

describe("a temporary error is transient:", () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504, 520, 529])("status %i", (status) => {
    expect(kindOf(api(status, "x"))).toBe("transient");
  });
  it.each(["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_SOCKET", "UND_ERR_BODY_TIMEOUT"])(
    "a connection that ends with %s, at any depth of the cause chain",
    (code) => {
      const cause = Object.assign(new Error("socket"), { code });
      expect(kindOf(new TypeError("terminated", { cause: new Error("outer", { cause }) }))).toBe("transient");
    },
  );
  it.each([
    ["an error inside a stream", { message: "Overloaded", type: "overloaded_error", statusCode: 529 }],
    ["an error inside a stream without a status", { type: "error", error: { message: "Overloaded" } }],
    ["a time-out inside a stream", { type: "error", error: { type: "timeout_error", message: "Request timed out." } }],
    ["Google's words inside a stream", { error: { code: 503, status: "UNAVAILABLE", message: "Not available." } }],
    ["a frame that was cut", Object.assign(new Error("JSON parsing failed"), { name: "AI_JSONParseError" })],
    ["a time-out", new DOMException("The operation timed out", "TimeoutError")],
    ["what the package says may be tried again", Object.assign(new Error("?"), { isRetryable: true })],
  ])("%s", (_, error) => expect(kindOf(error)).toBe("transient"));
});

describe("a permanent error is fatal:", () => {
  it.each([400, 401, 402, 403, 404, 422])("status %i", (status) => {
    expect(kindOf(api(status, "no"))).toBe("fatal");
  });
  it("an exhausted balance, although the provider sends 429", () => {
    const responseBody = '{"error":{"code":"insufficient_quota"}}';
    expect(kindOf(api(429, "You exceeded your current quota, please check your plan.", { responseBody }))).toBe(
      "fatal",
    );
  });
  it("an unknown error", () => {
    for (const error of [undefined, null, 7, "", {}, [], new Error("what?"), Symbol("x")])
      expect(toModelError(error, NOW)).toMatchObject({ kind: "fatal" });
  });
  it("a missing key whose error text mentions the context", () => {
    expect(kindOf(api(401, "prompt is too long"))).toBe("fatal");
  });
});

it("a request that is too large is reported as too large, whatever its status", () => {
  for (const status of [400, 413, 422, 429, 500])
    expect(kindOf(api(status, "prompt is too long: 2 tokens > 1 maximum"))).toBe("context_limit");
  expect(kindOf(api(413, "no words"))).toBe("context_limit");
  expect(kindOf(api(400, "Bad request", { responseBody: '{"error":{"code":"context_length_exceeded"}}' }))).toBe(
    "context_limit",
  );
});

describe("the wait that a provider asks for", () => {
  it.each([
    [{ "retry-after": "7" }, "", 7_000],
    [{ "Retry-After": "1.5" }, "", 1_500],
    [{ "retry-after-ms": "250", "retry-after": "7" }, "", 250],
    [{ "retry-after": "Sun, 15 Nov 2026 12:00:30 GMT" }, "", 30_000],
    [{ "retry-after": "Sun, 15 Nov 2026 11:00:00 GMT" }, "", 0],
    [{ "retry-after": "soon" }, "", null],
    [{ "retry-after": "-5" }, "", null],
    [{}, '{"error":{"details":[{"retryDelay":"34.5s"}]}}', 34_500],
    [{}, "Please try again in 7.66s.", 7_660],
    [{}, "Please try again in 1m2.5s.", 62_500],
    [{}, "Please try again in 250ms.", 250],
    [{}, "", null],
  ])("%o %s is %s ms", (responseHeaders, responseBody, expected) => {
    expect(toModelError(api(429, "slow down", { responseHeaders, responseBody }), NOW).retryAfterMs).toBe(expected);
  });
});

it("keeps status and code, and passes its own errors through", () => {
  const own = new ModelError("transient", "x", 5);
  expect(toModelError(own, NOW)).toBe(own);
  expect(toModelError(api(503, "x", { code: "busy" }), NOW).details).toEqual({ status: 503, code: "busy" });
});

it("any thrown value becomes a ModelError", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
      expect(toModelError(thrown, NOW)).toBeInstanceOf(ModelError);
    }),
    { numRuns: runs },
  );
  const loop: { cause?: unknown } = {};
  loop.cause = loop;
  expect(toModelError(loop, NOW).kind).toBe("fatal");
});
