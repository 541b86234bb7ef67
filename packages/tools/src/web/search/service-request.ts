/** One request to a search service, with limits on time and size. Redirects are not followed. */
import { Agent, request } from "undici";
import type { z } from "zod";
import { readBody } from "../fetch/read-body.ts";
import { searchError } from "./search-provider.ts";

export interface ServiceRequest {
  readonly service: string;
  readonly url: URL;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;
const LIMITS = { wireBytes: 5_000_000, bodyBytes: 10_000_000 };

/** The validated answer of the service. Throws `search_failed` or `search_refused`. */
export async function askService<T>(ask: ServiceRequest, schema: z.ZodType<T>): Promise<T> {
  const { service, url, method = "GET", headers = {}, body } = ask;
  const timeUp = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([ask.signal, timeUp]);
  const agent = new Agent({ connections: 1, connect: { timeout: TIMEOUT_MS } });
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      signal,
      headers: {
        accept: "application/json",
        "accept-encoding": "gzip, deflate, br",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const encoding = answer.headers["content-encoding"];
    const bytes = await readBody(answer.body, Array.isArray(encoding) ? encoding[0] : encoding, LIMITS, signal);
    const text = new TextDecoder().decode(bytes);
    if (answer.statusCode !== 200) throw refusal(service, answer.statusCode, text);
    return readAnswer(service, text, schema);
  } catch (error) {
    ask.signal.throwIfAborted();
    if (timeUp.aborted) throw failure(service, `it did not answer within ${TIMEOUT_MS / 1_000} s`);
    if (error instanceof Error && !("details" in error))
      throw failure(service, `it cannot be reached at ${url.origin} (${error.message.slice(0, 200)})`);
    throw error;
  } finally {
    await agent.destroy();
  }
}

function readAnswer<T>(service: string, text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw failure(service, "its answer is not JSON");
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw failure(service, "its answer has an unexpected form");
  return parsed.data;
}

function refusal(service: string, status: number, text: string) {
  const why =
    status === 401 || status === 403
      ? "it does not accept the key, or does not allow this use"
      : status === 429
        ? "too many searches; wait a little"
        : text.replace(/\s+/g, " ").slice(0, 200);
  return searchError("search_refused", `${service} answered with status ${status}: ${why}.`, { service, status });
}

function failure(service: string, problem: string) {
  return searchError("search_failed", `${service} gave no answer: ${problem}.`, { service });
}
