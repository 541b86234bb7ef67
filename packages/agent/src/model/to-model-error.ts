/**
 * Converts errors that a provider package throws or streams to a `ModelError`.
 *
 * Errors are recognised by their fields and not by their classes: several copies of the SDK may be in one process, and
 * errors inside a stream are plain objects. The order of the checks matters: a request that is too large is reported as
 * 400, 413, 429 or 500 depending on the provider, and an exhausted balance as 429, although waiting does not help.
 */
import { saysContextLimit } from "./context-limit.ts";
import { ModelError } from "./model-error.ts";
import type { Provider } from "./providers/provider.ts";
import { refusedKind } from "./refused-kinds.ts";
import { retryAfterMs } from "./retry-after.ts";

const NETWORK_CODES = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "ERR_STREAM_PREMATURE_CLOSE",
]);
const NETWORK_WORDS =
  /fetch failed|failed to fetch|terminated|socket hang up|other side closed|network|cannot connect|premature close/i;
const OUT_OF_MONEY =
  /insufficient_quota|exceeded your current quota|billing|credit balance|insufficient (?:credits|balance|funds)/i;
const OVERLOAD_WORDS =
  /overloaded|rate.?limit|too many requests|temporarily unavailable|server_error|internal server error|try again|timeout_error|timed out/i;
/** A frame of the stream that is not JSON, or not the expected JSON: a proxy or the network cut the frame off. */
const BROKEN_FRAME = new Set(["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"]);
const WRONG_KEY = "The provider does not accept the API key. Set a valid key of this provider and start Cairn again.";
const TOOLS_IN_TEXT = "Set CAIRN_MODEL_PROTOCOL=text, and the model gets its tools in text.";
const MAX_CAUSE_CHAIN_LENGTH = 8;

type OwnWords = Partial<Pick<Provider, "contextLimit" | "refusedFiles" | "refusedTools">>;

interface Facts {
  readonly status: number | null;
  readonly message: string;
  /** The error's message, code, type and body in one text, in which patterns are looked for. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly codes: readonly string[];
  readonly names: readonly string[];
  readonly retryable: boolean | null;
}

/** `own`: messages of a provider that is not in the registry. */
export function toModelError(error: unknown, now: number, own: OwnWords = {}): ModelError {
  if (error instanceof ModelError) return error;
  const facts = factsOf(error);
  const { status, message, text, headers, codes } = facts;
  const details = { ...(status === null ? {} : { status }), ...(codes[0] === undefined ? {} : { code: codes[0] }) };
  const of = (kind: ModelError["kind"], wait: number | null = null) => new ModelError(kind, message, wait, details);
  if (status === 401) return new ModelError("fatal", `${message} ${WRONG_KEY}`, null, details);
  if (status !== 403 && status !== 404 && (status === 413 || saysContextLimit(text, own.contextLimit)))
    return of("context_limit");
  if (status === 402 || (status === 429 && OUT_OF_MONEY.test(text))) return of("fatal");
  const refused = refusedKind(text, own.refusedFiles);
  if (refused !== null && (status === null || status === 400 || status === 415 || status === 422 || status >= 500))
    return new ModelError("fatal", message, null, { ...details, refused_files: refused });
  if (own.refusedTools?.test(text) === true)
    return new ModelError("fatal", `${message} ${TOOLS_IN_TEXT}`, null, details);
  return isTransient(facts) ? of("transient", retryAfterMs(headers, text, now)) : of("fatal");
}

function isTransient({ status, message, text, codes, names, retryable }: Facts): boolean {
  // The package rejected its input, such as an option, and sent nothing.
  if (names.includes("AI_InvalidArgumentError")) return false;
  if (status !== null) return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
  if (codes.some((code) => NETWORK_CODES.has(code) || code.startsWith("UND_ERR_"))) return true;
  if (names.some((name) => BROKEN_FRAME.has(name) || name === "TimeoutError")) return true;
  return retryable ?? (NETWORK_WORDS.test(message) || OVERLOAD_WORDS.test(text.slice(0, 20_000)));
}

function factsOf(error: unknown): Facts {
  const chain = causesOf(error);
  const first = chain[0] ?? {};
  const field = (name: string) =>
    chain.map((link) => link[name]).find((value) => value !== undefined && value !== null);
  // Inside a stream, Google's `status` is a word, and the HTTP status is in `code`.
  const status = chain.flatMap(({ statusCode, status, code }) => [statusCode, status, code]).find(isStatus);
  const headers = field("responseHeaders");
  const message = typeof first.message === "string" && first.message !== "" ? first.message : sayWhatItIs(error);
  const codes = chain.flatMap(({ code, type }) => [code, type]).filter((code) => typeof code === "string");
  const body = field("responseBody");
  const text = [message, ...codes, typeof body === "string" ? body.slice(0, 20_000) : ""].join("\n");
  const retryable = field("isRetryable");
  return {
    status: status ?? null,
    message: message.slice(0, 2_000),
    text,
    headers: lowerCased(headers),
    codes,
    names: chain.map(({ name }) => name).filter((name) => typeof name === "string"),
    retryable: typeof retryable === "boolean" ? retryable : null,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** An answer that was interrupted after its beginning has status 200. */
function isStatus(value: unknown): value is number {
  return typeof value === "number" && value >= 400 && value < 600;
}

/** The error and its causes, outermost first. A wrapped `{error: {...}}` of a stream counts as a cause. */
function causesOf(error: unknown): Fields[] {
  const chain: Fields[] = [];
  let link = error;
  while (typeof link === "object" && link !== null && chain.length < MAX_CAUSE_CHAIN_LENGTH) {
    const fields = link as Fields;
    chain.push(fields);
    link = fields.cause ?? fields.error ?? fields.lastError;
  }
  return chain;
}

function lowerCased(headers: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof headers !== "object" || headers === null) return {};
  const entries = Object.entries(headers).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value as string]));
}

function sayWhatItIs(error: unknown): string {
  if (typeof error === "string" && error !== "") return error;
  try {
    return JSON.stringify(error) ?? "The model failed without an error message.";
  } catch {
    return "The model failed with an error that cannot be shown.";
  }
}
