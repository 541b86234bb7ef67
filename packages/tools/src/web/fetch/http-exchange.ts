/**
 * Fetches one page over HTTP: redirects are followed manually, so that every hop is checked like the first. The result
 * is the decompressed bytes with the headers of the last response. Every failure is a `CairnError` that says what to
 * do.
 */
import { CairnError } from "@cairn/timeline";
import { type Dispatcher, request } from "undici";
import type { AllowList } from "./allow-list.ts";
import { unreachable } from "./egress.ts";
import type { FetchLimits } from "./fetch-limits.ts";
import { type GuardOptions, guardedAgent } from "./guarded-agent.ts";
import { readBody } from "./read-body.ts";
import { checkUrl } from "./url-rules.ts";

/** Validators of a server for conditional requests. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface HttpPage {
  /** The final address after redirects. */
  readonly url: string;
  readonly status: number;
  /** The body; null when the page is unchanged since the validators were received. */
  readonly bytes: Uint8Array | null;
  /** Lower case, with parameters; empty when the server sent none. */
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface ExchangeOptions extends Omit<GuardOptions, "connectTimeoutMs"> {
  /** Whether the operator allows this host. */
  readonly isReachable: AllowList;
  readonly limits: FetchLimits;
  readonly userAgent: string;
  /** Waits until the rate limits allow a request; the returned function is called after the response. */
  readonly enter: (url: URL, signal: AbortSignal) => Promise<() => void>;
  /** Validators for a URL, if its page is cached. */
  readonly known: (url: string) => Validators | undefined;
}

const MAX_TYPE_LENGTH = 200;
const ACCEPT =
  "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,application/json;q=0.9,image/*;q=0.8,*/*;q=0.5";

export async function exchange(given: string, options: ExchangeOptions, signal: AbortSignal): Promise<HttpPage> {
  const { limits } = options;
  const timeUp = AbortSignal.timeout(limits.totalMs);
  const either = AbortSignal.any([signal, timeUp]);
  let url = checkTarget(given, options);
  const seen = new Set<string>();
  try {
    for (let hop = 0; hop <= limits.redirects; hop++) {
      if (seen.has(url.href)) throw failure("redirect_loop", url, "its redirects lead in a circle");
      seen.add(url.href);
      const answered = await ask(url, options, either);
      if (!("location" in answered)) return answered;
      url = checkTarget(new URL(answered.location, url).href, options);
    }
    throw failure("too_many_redirects", url, `it redirects more than ${limits.redirects} times`);
  } catch (error) {
    signal.throwIfAborted();
    if (timeUp.aborted) throw failure("fetch_timeout", url, `it took longer than ${limits.totalMs / 1_000} s`);
    throw toFailure(error, url);
  }
}

function checkTarget(given: string, { isAllowed, isReachable }: ExchangeOptions): URL {
  const url = checkUrl(given, isAllowed);
  if (!isReachable(url) && !isAllowed(url)) throw unreachable(url);
  return url;
}

async function ask(url: URL, options: ExchangeOptions, signal: AbortSignal): Promise<HttpPage | { location: string }> {
  const leave = await options.enter(url, signal);
  const agent = guardedAgent(url, { ...options, connectTimeoutMs: options.limits.connectMs });
  try {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      headers: {
        accept: ACCEPT,
        "accept-encoding": "gzip, deflate, br, zstd",
        "user-agent": options.userAgent,
        ...conditions(options.known(url.href)),
      },
      // The HTTP client's own timeouts are off; the signal limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return await readAnswer(url, answer, options.limits, signal);
  } finally {
    leave();
    // No connection is kept open: the next request is checked again.
    await agent.destroy();
  }
}

async function readAnswer(
  url: URL,
  { statusCode: status, headers: given, body }: Dispatcher.ResponseData,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<HttpPage | { location: string }> {
  const headers = firstOfEach(given);
  // The rest of a response is dropped with its connection, so an error in it does not matter.
  body.on("error", () => undefined);
  if (isRedirect(status) && headers.location !== undefined) return { location: asWritten(headers.location) };
  const contentType = (headers["content-type"] ?? "").slice(0, MAX_TYPE_LENGTH).trim().toLowerCase();
  if (status === 304) return { url: url.href, status, bytes: null, contentType, headers };
  if (status < 200 || status > 299) throw statusFailure(status, url, headers["retry-after"]);
  const bytes = await readBody(body, headers["content-encoding"], limits, signal);
  return { url: url.href, status, bytes, contentType, headers };
}

function conditions({ etag, lastModified }: Validators = {}): Record<string, string> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
  };
}

/** Headers are decoded byte by byte, but servers write addresses in UTF-8. Invalid UTF-8 stays unchanged. */
function asWritten(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function firstOfEach(headers: Dispatcher.ResponseData["headers"]): Record<string, string | undefined> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return Object.fromEntries(entries) as Record<string, string | undefined>;
}

function statusFailure(status: number, url: URL, retryAfter: string | undefined): CairnError {
  const wait = retryAfter === undefined ? "" : ` It asks for a pause of ${retryAfter.slice(0, 40)}.`;
  const advice = status === 401 || status === 403 ? " It requires a login, or refuses programs." : wait;
  return new CairnError("http_status", `${shown(url)} answered with status ${status}.${advice}`, {
    status,
    host: url.host,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter.slice(0, 40) }),
  });
}

/** Describes the client's errors in words; our own errors are returned unchanged. */
function toFailure(error: unknown, url: URL): unknown {
  if (!(error instanceof Error)) return error;
  const inner = [error, error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  const own = inner.find((each) => CairnError.is(each));
  if (own !== undefined) return own;
  const code = inner
    .map((each) => (each instanceof Error && "code" in each ? String(each.code ?? "") : ""))
    .find(Boolean);
  switch (code) {
    case "ENOTFOUND":
      return failure("host_not_found", url, "its host has no address");
    case "EAI_AGAIN":
      return failure("host_not_found", url, "no name server answered for its host");
    case "ECONNREFUSED":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
      return failure("host_unreachable", url, "its host does not answer");
    case "UND_ERR_HEADERS_OVERFLOW":
      return failure("bad_answer", url, "its headers are too large");
    case undefined:
      return failure("bad_answer", url, error.message.slice(0, 200));
    default:
      return failure("bad_answer", url, `${code}: ${error.message.slice(0, 200)}`);
  }
}

function failure(code: string, url: URL, problem: string): CairnError {
  return new CairnError(code, `${shown(url)} could not be fetched: ${problem}.`);
}

function shown(url: URL): string {
  return url.href.slice(0, 300);
}
