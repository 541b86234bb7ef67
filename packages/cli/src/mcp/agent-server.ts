/**
 * The agent as an MCP server: another program asks it, and searches and reads the user's conversations.
 *
 * A call that needs approval becomes a question to the person at the other program (elicitation). The answer counts only
 * for the parameters that the question showed: its key contains their hash. Internal content is never returned.
 */
import { randomInt } from "node:crypto";
import type { AgentDefinition, TurnListener } from "@cairn/agent";
import type { ConversationStore, Scope } from "@cairn/store";
import { CairnError, type CountTokens, isInternalArtifact, type JsonObject } from "@cairn/timeline";
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Admission } from "../chat/admission.ts";
import { readAnswer } from "../chat/answer.ts";
import { type Approval, Conversation } from "../chat/conversation.ts";
import { approvalQuestion } from "./approval-question.ts";

export interface AgentServerParts {
  readonly store: ConversationStore;
  readonly owner: Scope;
  readonly agent: AgentDefinition;
  readonly admission: Admission;
  readonly countTokens: CountTokens;
  /** OUT_DIR of a conversation. */
  readonly folderOf: (conversation: string) => string;
  readonly version: string;
}

const MAX_TEXT = 200_000;
const MAX_HITS = 50;
const FORM = {
  type: "object" as const,
  properties: { approve: { type: "boolean" as const, title: "Approve this call" } },
  required: ["approve"],
};

export function agentServer(parts: AgentServerParts): McpServer {
  const server = new McpServer({ name: "cairn", version: parts.version });
  server.registerTool(
    "ask",
    {
      description: `Sends a message to the agent ${parts.agent.name} and returns its answer. Without a conversation, it starts a new one; the result names it.`,
      inputSchema: z.strictObject({
        message: z.string().min(1).max(MAX_TEXT),
        conversation: z.string().min(1).optional().describe("The id of a conversation to continue"),
      }),
    },
    (params, context) => reported(() => ask(parts, params, context)),
  );
  server.registerTool(
    "list_conversations",
    {
      description: "Lists the user's conversations with the agent, the most recent first.",
      inputSchema: z.strictObject({ limit: z.number().int().min(1).max(MAX_HITS).default(20) }),
      annotations: { readOnlyHint: true },
    },
    ({ limit }) =>
      reported(async () => {
        const { items } = await parts.store.listConversations(parts.owner, { limit });
        return structured(items.map(({ conversation, title, turns }) => ({ conversation, title, turns })));
      }),
  );
  server.registerTool(
    "search",
    {
      description: "Searches the texts of the user's conversations; each hit has a path for `read`.",
      inputSchema: z.strictObject({
        query: z.string().min(1).max(1_000),
        conversation: z.string().min(1).optional(),
        limit: z.number().int().min(1).max(MAX_HITS).default(10),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ query, conversation, limit }) =>
      reported(async () => {
        const among = conversation === undefined ? {} : { conversation };
        const { items } = await parts.store.search(parts.owner, query, { ...among, limit, forPeople: true });
        return structured(items.map(({ internal: _, ...hit }) => hit));
      }),
  );
  server.registerTool(
    "read",
    {
      description: "Reads the text at a path of a conversation, such as ar:<turn>.assistant.completion.",
      inputSchema: z.strictObject({ conversation: z.string().min(1), path: z.string().min(1).max(2_000) }),
      annotations: { readOnlyHint: true },
    },
    ({ conversation, path }) => reported(() => read(parts, conversation, path)),
  );
  return server;
}

type Outcome = CallToolResult | InputRequiredResult;

async function ask(
  parts: AgentServerParts,
  { message, conversation }: { readonly message: string; readonly conversation?: string | undefined },
  context: ServerContext,
): Promise<Outcome> {
  const { store, owner, agent, admission, countTokens } = parts;
  // The state of a call that asked for approval. It names only a conversation of this user.
  const continued = context.mcpReq.requestState<string>();
  const id = continued ?? conversation ?? newId();
  const key = { ...owner, conversation: id };
  if (conversation !== undefined) await store.getConversation(key);
  const folder = parts.folderOf(id);
  const isKnown = continued !== undefined || conversation !== undefined;
  const listener = reporter(context);
  const acting = { store, key, agent, admission, countTokens, folder, listener, onWait: () => undefined };
  const held = new Conversation(acting, isKnown);
  const stop = () => void held.cancel().catch(() => undefined); // The turn ends with the reason.
  context.mcpReq.signal.addEventListener("abort", stop, { once: true });
  try {
    if (continued === undefined) await held.send(message, []);
    else await answer(held, context);
    for (;;) {
      const outcome = await held.runNext();
      if (outcome.status === "waiting") return askPerson(await held.approvals(), id);
      if (outcome.status === "idle") throw new CairnError("not_found", "There is no turn to continue.");
      const { exit, text, citations, files } = await readAnswer(store, key, folder, outcome);
      if (await held.hasWork()) continue;
      const more = { conversation: id, turn: outcome.turnId, exit, citations, files: files.map(({ path }) => path) };
      return { content: [{ type: "text", text }], structuredContent: { text, ...more }, isError: exit === "error" };
    }
  } finally {
    context.mcpReq.signal.removeEventListener("abort", stop);
  }
}

/**
 * Each question has the call and the hash of its parameters as its key. Calls that are too long for a question wait
 * until the others are answered.
 */
function askPerson(approvals: readonly Approval[], conversation: string): InputRequiredResult {
  const asked = approvals.flatMap((approval) => {
    const request = requestOf(approval);
    return request === null ? [] : [[keyOf(approval), inputRequired.elicit(request)] as const];
  });
  if (asked.length === 0)
    throw new CairnError(
      "approval_too_long",
      `The parameters of ${approvals.map(({ tool_id }) => tool_id).join(", ")} are too long to approve here. Use the app or: cairn chat -c ${conversation}`,
      { conversation },
    );
  return inputRequired({ inputRequests: Object.fromEntries(asked), requestState: conversation });
}

/**
 * A question of a call is passed on as it is; a page to visit is part of the message. A call that its client runs can only
 * be refused here. Null if it is too long.
 */
function requestOf({ tool_id, params, question, client }: Approval): ElicitRequestFormParams | null {
  if (client === true)
    return {
      message: `The call of ${tool_id} waits for its client and cannot be run here. Any answer refuses it.`,
      requestedSchema: { type: "object", properties: {} },
    };
  if (question === undefined) {
    const message = approvalQuestion(tool_id, params);
    return message === null ? null : { message, requestedSchema: FORM };
  }
  const { message, form = { type: "object", properties: {} }, url } = question;
  const requestedSchema = form as ElicitRequestFormParams["requestedSchema"];
  return { message: url === undefined ? message : `${message}\nVisit: ${url}`, requestedSchema };
}

/** Only a clear yes approves. Declining and closing the question both deny the call. */
async function answer(held: Conversation, { mcpReq: { inputResponses } }: ServerContext): Promise<void> {
  for (const approval of await held.approvals()) {
    const given = inputResponse(inputResponses, keyOf(approval));
    if (given.kind !== "elicit" || requestOf(approval) === null) continue;
    const { action, content = {} } = given;
    const isAccepted = action === "accept";
    if (approval.client === true) await held.decide(approval, { approve: false });
    else if (approval.question === undefined)
      await held.decide(approval, { approve: isAccepted && content.approve === true });
    else
      await held.decide(approval, { approve: isAccepted, answer: content as JsonObject, dismiss: action === "cancel" });
  }
}

function keyOf({ call_id, hash }: Approval): string {
  return `${call_id}.${hash ?? ""}`;
}

async function read({ store, owner }: AgentServerParts, conversation: string, path: string): Promise<Outcome> {
  const found = await store.findByPath({ ...owner, conversation }, path);
  const text = found === null || isInternalArtifact(found.state, found.artifact) ? undefined : found.artifact.text;
  if (text === undefined)
    throw new CairnError("not_found", `There is no text at ${path} in conversation ${conversation}.`);
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}...[truncated]` : text;
  return { content: [{ type: "text", text: cut }] };
}

function structured(items: readonly object[]): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify({ items }) }], structuredContent: { items } };
}

/** The caller follows the turn by the calls that it makes. */
function reporter({ mcpReq }: ServerContext): TurnListener {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let progress = 0;
  return (signal) => {
    if (signal.type !== "events") return;
    for (const event of signal.events) {
      if ("unknown" in event || event.kind !== "call.started") continue;
      const params = { progressToken: token, progress: ++progress, message: `calls ${event.body.tool_id ?? "a tool"}` };
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // The caller has gone.
    }
  };
}

async function reported(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    return { content: [{ type: "text", text: `${error.code}: ${error.message}` }], isError: true };
  }
}

const ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

function newId(): string {
  return `mcp-${Array.from({ length: 10 }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join("")}`;
}
