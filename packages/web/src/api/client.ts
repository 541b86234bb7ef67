/**
 * The server's HTTP API, one function per endpoint of the chat. The definitions of `@cairn/api` give the address, the
 * types and the check of every response. Every failure is an `ApiError`.
 */
import * as api from "@cairn/api";
import type { JsonObject, SourceRow } from "@cairn/timeline";
import { serverAddress } from "./address.ts";
import { ApiError } from "./api-error.ts";
import { type CallOptions, call, send } from "./call.ts";
import { readAs } from "./check.ts";

export function getMeta(options?: CallOptions): Promise<api.Meta> {
  return call(api.readMeta, {}, options);
}

export interface ConversationQuery {
  readonly q?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export function listConversations(
  query: ConversationQuery,
  options?: CallOptions,
): Promise<api.AnswerOf<typeof api.listConversations>> {
  return call(api.listConversations, {}, { query: { ...query }, ...options });
}

/** The messages of a conversation that contain all of these words, newest first, without a maximum. */
export async function findMessages(
  id: string,
  words: string,
  options?: CallOptions,
): Promise<readonly api.SearchHit[]> {
  const query = { q: words, match: "all", type: "user.prompt,assistant.completion", limit: 200 };
  const found: api.SearchHit[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await call(api.searchConversation, { id }, { query: { ...query, cursor }, ...options });
    found.push(...page.hits);
    if (page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

export async function createConversation(body: api.BodyOf<typeof api.createConversation> = {}): Promise<string> {
  return (await call(api.createConversation, {}, { body })).conversation_id;
}

export function importConversation(file: Blob): Promise<api.Imported> {
  return call(api.importConversation, {}, { file, type: api.EXPORT_MIME });
}

export function renameConversation(id: string, title: string): Promise<api.Conversation> {
  return call(api.renameConversation, { id }, { body: { title } });
}

/** Deletes a conversation. The request continues when the page is closed. */
export async function deleteConversation(id: string, versions: "all" | "this"): Promise<void> {
  await send(api.deleteConversation, { id }, { query: { versions }, keepalive: true });
}

export type ConversationPage = api.AnswerOf<typeof api.readConversation>;

/** The latest turns, or the turns before turn number `before`. */
export function loadConversation(
  id: string,
  page: { readonly before?: number; readonly limit?: number },
  options?: CallOptions,
): Promise<ConversationPage> {
  return call(api.readConversation, { id }, { query: { ...page }, ...options });
}

/** Stops the running turn and withdraws the messages that wait. */
export async function stopAll(id: string): Promise<void> {
  await call(api.cancelTurn, { id }, { query: { waiting: "withdraw" } });
}

/** Withdraws a message that waits for its turn. */
export async function withdrawMessage(id: string, key: string): Promise<void> {
  await call(api.cancelTurn, { id }, { query: { message: key } });
}

export interface ApprovalAnswer {
  readonly approve: boolean;
  /** Hash of the request that was shown; null for a request from an earlier version. */
  readonly hash: string | null;
  /** Whether later calls of the tool in this conversation are approved, too. */
  readonly remember: boolean;
  /** The reason for the decision, which the model reads. */
  readonly reason: string;
  /** The parameters to run instead of those that were shown; null to run the shown ones. */
  readonly params: JsonObject | null;
  /** The values of a question's form. */
  readonly answer?: JsonObject;
  /** Closes a question without declining it. */
  readonly dismiss?: boolean;
}

export async function giveApproval(id: string, callId: string, answer: ApprovalAnswer): Promise<void> {
  const { approve, hash, remember, reason, params, ...said } = answer;
  const given = {
    ...said,
    approve,
    remember,
    ...(hash === null ? {} : { hash }),
    ...(reason.trim() === "" ? {} : { reason }),
    ...(params === null ? {} : { params }),
  };
  await call(api.answerApproval, { id, call: callId }, { body: given });
}

export async function forkConversation(id: string, at: api.ForkPoint): Promise<string> {
  return (await call(api.forkConversation, { id }, { body: { at } })).conversation_id;
}

/** Answers a turn's message, or another one, in a new branch. With `null`, the branch waits for a message. */
export async function branchConversation(id: string, body: api.BodyOf<typeof api.branchConversation>): Promise<string> {
  return (await call(api.branchConversation, { id }, { body })).conversation_id;
}

/** The conversations of a tree, in the order in which they were created. */
export async function listBranches(id: string, options?: CallOptions): Promise<readonly api.Branch[]> {
  return (await call(api.listBranches, { id }, { query: { limit: 200 }, ...options })).branches;
}

/** Names the conversation's version of turn number `turn`. */
export async function nameVersion(id: string, turn: number, name: string): Promise<void> {
  await send(api.nameVersion, { id, number: String(turn) }, { body: { name } });
}

export async function listRequests(id: string, options: CallOptions): Promise<readonly api.ModelRequest[]> {
  return (await call(api.listRequests, { id }, options)).requests;
}

export async function showConversation(id: string): Promise<void> {
  await send(api.showConversation, { id });
}

export async function giveFeedback(id: string, turnId: string, reaction: string, text: string): Promise<void> {
  await call(api.giveFeedback, { id, turn: turnId }, { body: { reaction, ...(text === "" ? {} : { text }) } });
}

export async function listFiles(id: string, options?: CallOptions): Promise<readonly api.ListedFile[]> {
  return (await call(api.listFiles, { id }, options)).files;
}

/** The user's standing orders. Every change returns the new list. */
export async function listOrders(id: string, options?: CallOptions): Promise<readonly api.ListedOrder[]> {
  return (await call(api.listOrders, { id }, options)).orders;
}

export async function addOrder(id: string, text: string): Promise<readonly api.ListedOrder[]> {
  return (await call(api.addOrder, { id }, { body: { text } })).orders;
}

export async function correctOrder(id: string, order: string, text: string): Promise<readonly api.ListedOrder[]> {
  return (await call(api.correctOrder, { id, order }, { body: { text } })).orders;
}

export async function deleteOrder(id: string, order: string): Promise<readonly api.ListedOrder[]> {
  return (await call(api.deleteOrder, { id, order })).orders;
}

/** The MCP servers of the agents, with the user's logins and prompts. */
export async function listMcpServers(options?: CallOptions): Promise<readonly api.ListedMcpServer[]> {
  return (await call(api.listMcpServers, {}, options)).servers;
}

/** The address of the login page; null if the server requires no login. */
export async function beginMcpLogin(server: string): Promise<string | null> {
  return (await call(api.beginMcpLogin, { server })).address;
}

export async function finishMcpLogin(server: string, parameters: string): Promise<void> {
  await call(api.finishMcpLogin, { server }, { body: { parameters } });
}

export async function endMcpLogin(server: string): Promise<void> {
  await send(api.endMcpLogin, { server });
}

export async function listPrompts(options?: CallOptions): Promise<readonly api.ListedPrompt[]> {
  return (await call(api.listPrompts, {}, options)).prompts;
}

export function fillPrompt({ server, name, arguments: given }: api.SentPrompt): Promise<api.FilledPrompt> {
  return call(api.fillPrompt, { server, prompt: name }, { body: { arguments: { ...given } } });
}

/** Pool rows by SID; missing ones are left out. */
export async function findSources(id: string, sids: readonly number[]): Promise<readonly SourceRow[]> {
  const { text } = await call(api.readPath, { id }, { query: { path: `so:sources_pool[${sids.join(",")}]` } });
  const rows = text === null ? [] : readAs(api.sourceSchema.array(), JSON.parse(text));
  if (rows === null) throw new ApiError("bad_answer", "The server's sources are not valid.", 200);
  return rows;
}

export function fileAddress(id: string, path: string, version?: number): string {
  return serverAddress(api.readFile, { id, path }, { v: version });
}

/** Address of the answer of a turn, as Markdown. */
export function answerAddress(id: string, turnId: string): string {
  return serverAddress(api.readAnswer, { id, turn: turnId });
}

/** Address of a file or an answer with its citations as links. */
export function withLinks(address: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}citations=links`;
}
