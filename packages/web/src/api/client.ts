/**
 * The server's HTTP API, one function per endpoint. Every response is validated by a schema; every failure is an
 * `ApiError`. The inspector adds its own endpoints with `getJson`.
 */
import type { SourceRow } from "@cairn/timeline";
import { z } from "zod";
import { ApiError, errorOf, unreachable } from "./api-error.ts";
import {
  type Conversation,
  type ConversationPage,
  conversationListSchema,
  conversationPageSchema,
  conversationSchema,
  createdSchema,
  fileListSchema,
  foundTextSchema,
  type Imported,
  importedSchema,
  type ListedFile,
  type ListedOrder,
  type Meta,
  metaSchema,
  orderListSchema,
  type SearchHit,
  searchHitsSchema,
  sourceRow,
} from "./schemas.ts";
import { authHeaders, tellTokenRefused } from "./token.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export async function getJson<T>(path: string, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
  return checked(schema, await (await send(path, options)).json());
}

export function getMeta(options?: CallOptions): Promise<Meta> {
  return getJson("/api/meta", metaSchema, options);
}

export interface ConversationQuery {
  readonly q?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export function listConversations(
  query: ConversationQuery,
  options?: CallOptions,
): Promise<z.infer<typeof conversationListSchema>> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return getJson(`/api/conversations?${search}`, conversationListSchema, options);
}

/** Messages of a conversation with every word, newest first. */
/** All messages with these words, however many. */
export async function findMessages(id: string, words: string, options?: CallOptions): Promise<readonly SearchHit[]> {
  const query = new URLSearchParams({ q: words, match: "all", type: "user.prompt,assistant.completion", limit: "200" });
  const found: SearchHit[] = [];
  for (;;) {
    const { hits, next_cursor } = await getJson(`${at(id)}/search?${query}`, searchHitsSchema, options);
    found.push(...hits);
    if (next_cursor === null) return found;
    query.set("cursor", next_cursor);
  }
}

export async function createConversation(fields: { title?: string; agent?: string } = {}): Promise<string> {
  const answer = await postJson("/api/conversations", fields);
  return checked(createdSchema, await answer.json()).conversation_id;
}

/** Imports a conversation from an exported file. */
export async function importConversation(file: Blob): Promise<Imported> {
  const answer = await send("/api/import", { method: "POST", body: file, type: "application/x-ndjson" });
  return checked(importedSchema, await answer.json());
}

export async function renameConversation(id: string, title: string): Promise<Conversation> {
  const answer = await send(at(id), { method: "PATCH", ...jsonBody({ title }) });
  return checked(conversationSchema, await answer.json());
}

export async function deleteConversation(id: string): Promise<void> {
  await send(at(id), { method: "DELETE" });
}

/** The latest turns, or those before turn number `before`. */
export function loadConversation(
  id: string,
  page: { before?: number; limit?: number },
  options?: CallOptions,
): Promise<ConversationPage> {
  const search = new URLSearchParams();
  if (page.before !== undefined) search.set("before", String(page.before));
  if (page.limit !== undefined) search.set("limit", String(page.limit));
  return getJson(`${at(id)}?${search}`, conversationPageSchema, options);
}

export async function cancelTurn(id: string): Promise<void> {
  await postJson(`${at(id)}/cancel`, {});
}

export interface ApprovalAnswer {
  readonly approve: boolean;
  /** Hash of what was shown; null for a request from an earlier version. */
  readonly hash: string | null;
  /** Also approves later calls of the tool in this conversation. */
  readonly remember: boolean;
}

export async function giveApproval(id: string, callId: string, answer: ApprovalAnswer): Promise<void> {
  const { approve, hash, remember } = answer;
  const shown = hash === null ? {} : { hash };
  await postJson(`${at(id)}/approvals/${encodeURIComponent(callId)}`, { approve, remember, ...shown });
}

export type ForkPoint = number | { readonly turn_id: string; readonly edge: "before" | "after" };

export async function forkConversation(id: string, point: ForkPoint): Promise<string> {
  const answer = await postJson(`${at(id)}/fork`, { at: point });
  return checked(createdSchema, await answer.json()).conversation_id;
}

export async function giveFeedback(id: string, turnId: string, reaction: string): Promise<void> {
  await postJson(`${at(id)}/turns/${encodeURIComponent(turnId)}/feedback`, { reaction });
}

export async function listFiles(id: string, options?: CallOptions): Promise<readonly ListedFile[]> {
  return (await getJson(`${at(id)}/files`, fileListSchema, options)).files;
}

/** The user's standing orders. Every change returns the new list. */
export async function listOrders(id: string, options?: CallOptions): Promise<readonly ListedOrder[]> {
  return (await getJson(`${at(id)}/orders`, orderListSchema, options)).orders;
}

export async function addOrder(id: string, text: string): Promise<readonly ListedOrder[]> {
  return ordersIn(await postJson(`${at(id)}/orders`, { text }));
}

export async function correctOrder(id: string, order: string, text: string): Promise<readonly ListedOrder[]> {
  return ordersIn(await send(orderAt(id, order), { method: "PATCH", ...jsonBody({ text }) }));
}

export async function deleteOrder(id: string, order: string): Promise<readonly ListedOrder[]> {
  return ordersIn(await send(orderAt(id, order), { method: "DELETE" }));
}

async function ordersIn(answer: Response): Promise<readonly ListedOrder[]> {
  return checked(orderListSchema, await answer.json()).orders;
}

function orderAt(id: string, order: string): string {
  return `${at(id)}/orders/${encodeURIComponent(order)}`;
}

/** Pool rows by SID; missing ones are left out. */
export async function findSources(id: string, sids: readonly number[]): Promise<readonly SourceRow[]> {
  const path = `so:sources_pool[${sids.join(",")}]`;
  const { text } = await getJson(`${at(id)}/read?path=${encodeURIComponent(path)}`, foundTextSchema);
  return text === null ? [] : checked(z.array(sourceRow), JSON.parse(text));
}

/** The address of a file's bytes. */
export function fileAddress(id: string, physicalPath: string, version?: number): string {
  const path = physicalPath.split("/").map(encodeURIComponent).join("/");
  return `${at(id)}/files/${path}${version === undefined ? "" : `?v=${version}`}`;
}

/** Where the answer of a turn is, as Markdown. */
export function answerAddress(id: string, turnId: string): string {
  return `${at(id)}/turns/${encodeURIComponent(turnId)}/answer`;
}

/** Where a file or an answer is with its citations as links. */
export function withLinks(address: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}citations=links`;
}

export async function fetchFile(address: string, options: CallOptions = {}): Promise<Response> {
  return send(address, options);
}

export function conversationAddress(id: string): string {
  return at(id);
}

function at(id: string): string {
  return `/api/conversations/${encodeURIComponent(id)}`;
}

function postJson(path: string, json: unknown): Promise<Response> {
  return send(path, { method: "POST", ...jsonBody(json) });
}

function jsonBody(json: unknown): Pick<SendOptions, "body" | "type"> {
  return { body: JSON.stringify(json), type: "application/json" };
}

interface SendOptions extends CallOptions {
  readonly method?: string;
  readonly body?: BodyInit;
  /** Media type of the body. */
  readonly type?: string;
}

async function send(path: string, { method = "GET", body, type, signal }: SendOptions): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: { ...authHeaders(), ...(type === undefined ? {} : { "content-type": type }) },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw unreachable();
  });
  if (response.ok) return response;
  if (response.status === 401) tellTokenRefused();
  throw errorOf(response.status, await response.text(), response.headers.get("retry-after"));
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue?.path.join(".") ?? "";
  throw new ApiError("bad_answer", `The server's answer is not valid at "${where}": ${issue?.message ?? ""}`, 200);
}
