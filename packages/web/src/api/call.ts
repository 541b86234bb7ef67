/** Calls an endpoint by its definition, and checks that the response matches the definition. */
import type { AnswerOf, BodyOf, Endpoint, ParamsOf } from "@cairn/api";
import { serverAddress } from "./address.ts";
import { ApiError, errorOf, unreachable } from "./api-error.ts";
import { issueOf } from "./check.ts";
import { authHeaders, tellTokenRefused } from "./token.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

interface Sent<E extends Endpoint> extends CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: BodyOf<E>;
  /** A body that is not JSON, and its media type. */
  readonly file?: Blob;
  readonly type?: string;
  /** Whether the request continues when the page is closed. */
  readonly keepalive?: boolean;
}

export async function call<E extends Endpoint>(endpoint: E, params: ParamsOf<E>, sent?: Sent<E>): Promise<AnswerOf<E>> {
  const response = await send(endpoint, params, sent);
  return checkAnswer(endpoint, response.status, await response.json());
}

export function send<E extends Endpoint>(endpoint: E, params: ParamsOf<E>, sent: Sent<E> = {}): Promise<Response> {
  const { query, body, file, type, signal, keepalive = false } = sent;
  return request(serverAddress(endpoint, params, query), {
    method: endpoint.method.toUpperCase(),
    keepalive,
    ...(signal === undefined ? {} : { signal }),
    ...(file === undefined ? {} : { body: file, headers: { "content-type": type ?? "" } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
}

/** Fetches an address of the server, such as that of a file. */
export async function request(address: string, init: RequestInit = {}): Promise<Response> {
  const { signal } = init;
  const headers = { ...authHeaders(), ...init.headers };
  const response = await fetch(address, { ...init, headers }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  });
  if (response.ok) return response;
  if (response.status === 401) tellTokenRefused();
  throw errorOf(response.status, await response.text(), response.headers.get("retry-after"));
}

/** Throws `bad_answer` if the body does not match the definition for its status. */
export function checkAnswer<E extends Endpoint>(endpoint: E, status: number, body: unknown): AnswerOf<E> {
  const schema = endpoint.answers[status]?.schema;
  const issue = schema === undefined ? `status ${status}` : issueOf(schema, body);
  if (issue === null) return body as AnswerOf<E>;
  throw new ApiError("bad_answer", `The server's answer is not valid at ${issue}`, status);
}
