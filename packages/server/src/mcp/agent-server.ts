/**
 * The agent as an MCP server: another program sends messages, follows turns, and searches and reads its conversations.
 * Internal content is never returned. `cairn mcp` serves it over standard streams, and the HTTP server at `/mcp`.
 */
import { addAbortListener } from "node:events";
import type { ConversationStore, Scope } from "@cairn/store";
import { CairnError, isInternalArtifact } from "@cairn/timeline";
import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { askPerson, passAnswers } from "./approval-requests.ts";
import { readTurnAnswer } from "./read-turn-answer.ts";
import type { RequestStates } from "./request-states.ts";
import type { Approval, Talk } from "./talk.ts";

/** A finished call, for the audit log. */
export interface DoneCall {
  readonly tool: string;
  readonly conversation?: string;
  readonly turn?: string | null;
  readonly created?: boolean;
  readonly consent?: Readonly<Record<string, boolean>>;
  /** The code of the error that the caller got. */
  readonly error?: string;
}

/** The HTTP request or connection that a call came with. */
export interface Calling {
  /** Opens a conversation of the caller. */
  readonly talk: (conversation: string, agent?: string) => Talk;
  /**
   * Waits for memory to read a conversation of the caller; the returned function releases it. `copies`: how many copies
   * of the content are in memory at once.
   */
  readonly takeRoom: (conversation: string, copies: number) => Promise<() => void>;
  /** Whether the caller still has access. A turn may last longer than a token is valid. */
  readonly isAllowed: () => Promise<boolean>;
  /** Records the call for the audit log. If this rejects, the caller does not get the result. */
  readonly record: (call: DoneCall) => Promise<void>;
}

export interface AgentServerParts {
  readonly store: ConversationStore;
  readonly owner: Scope;
  /** The names of the agents; the first one answers if the caller names none. */
  readonly agents: readonly string[];
  readonly version: string;
  readonly newConversation: () => string;
  readonly states: RequestStates;
  readonly callingOf: (context: ServerContext) => Calling;
  /** Reports an error that is not the caller's fault. */
  readonly onFailure: (error: unknown) => void;
}

const MAX_TEXT = 200_000;
const MAX_HITS = 50;
const conversationId = z.string().min(1).max(500);

export function agentServer(parts: AgentServerParts): McpServer {
  const { store, owner, agents } = parts;
  // Announces no changes of the tools, because the tools never change while the server runs.
  const server = new McpServer(
    { name: "cairn", version: parts.version },
    {
      capabilities: { tools: { listChanged: false } },
      requestState: { verify: (state, context) => parts.states.open(state, context) },
    },
  );
  const readOnly = { annotations: { readOnlyHint: true } };
  server.registerTool(
    "ask",
    {
      description: `Sends a message to the agent ${agents[0]} and returns its answer. Without a conversation, it starts a new one; the result names it.`,
      inputSchema: z.strictObject({
        message: z.string().min(1).max(MAX_TEXT),
        conversation: conversationId.optional().describe("The id of a conversation to continue"),
        agent: z.enum(agents).optional().describe("The agent that answers"),
      }),
    },
    (params, context) => answered(parts, context, "ask", () => ask(parts, params, context)),
  );
  server.registerTool(
    "follow",
    {
      description:
        "Waits until a turn of a conversation ends, and returns its answer. Without a turn, it is the current or the last one.",
      inputSchema: z.strictObject({ conversation: conversationId, turn: z.string().min(1).max(200).optional() }),
    },
    ({ conversation, turn = null }, context) =>
      answered(parts, context, "follow", async () => {
        await store.getConversation({ ...owner, conversation });
        return follow(parts, context, { tool: "follow", conversation, turn, isRecorded: false });
      }),
  );
  server.registerTool(
    "list_conversations",
    {
      description: "Lists the user's conversations with the agent, the most recent first.",
      inputSchema: z.strictObject({ limit: z.number().int().min(1).max(MAX_HITS).default(20) }),
      ...readOnly,
    },
    ({ limit }, context) =>
      answered(parts, context, "list_conversations", async (record) => {
        const { items } = await store.listConversations(owner, { limit });
        await record({});
        return structured(items.map(({ conversation, title, turns }) => ({ conversation, title, turns })));
      }),
  );
  server.registerTool(
    "search",
    {
      description: "Searches the texts of the user's conversations; each hit has a path for `read`.",
      inputSchema: z.strictObject({
        query: z.string().min(1).max(1_000),
        conversation: conversationId.optional(),
        limit: z.number().int().min(1).max(MAX_HITS).default(10),
      }),
      ...readOnly,
    },
    ({ query, conversation, limit }, context) =>
      answered(parts, context, "search", async (record) => {
        const among = conversation === undefined ? {} : { conversation };
        const { signal } = context.mcpReq;
        const { items } = await store.search(owner, query, { ...among, limit, forPeople: true, signal });
        await record(among);
        return structured(items.map(({ internal: _, ...hit }) => hit));
      }),
  );
  server.registerTool(
    "read",
    {
      description: "Reads the text at a path of a conversation, such as ar:<turn>.assistant.completion.",
      inputSchema: z.strictObject({ conversation: conversationId, path: z.string().min(1).max(2_000) }),
      ...readOnly,
    },
    ({ conversation, path }, context) =>
      answered(parts, context, "read", async (record) => {
        const { takeRoom } = parts.callingOf(context);
        const text = await inRoom(
          () => takeRoom(conversation, 3),
          () => read(parts, conversation, path),
        );
        await record({ conversation });
        return { content: [{ type: "text", text }] };
      }),
  );
  return server;
}

type Outcome = CallToolResult | InputRequiredResult;
type RecordDone = (done: Omit<DoneCall, "tool">) => Promise<void>;

interface Asked {
  readonly message: string;
  readonly conversation?: string | undefined;
  readonly agent?: string | undefined;
}

async function ask(parts: AgentServerParts, asked: Asked, context: ServerContext): Promise<Outcome> {
  const state = context.mcpReq.requestState<string>();
  if (state !== undefined) return follow(parts, context, await resumed(parts, state));
  const { talk, record } = parts.callingOf(context);
  const conversation = asked.conversation ?? parts.newConversation();
  if (asked.conversation !== undefined) await parts.store.getConversation({ ...parts.owner, conversation });
  const turn = await talk(conversation, asked.agent).send(asked.message);
  await record({ tool: "ask", conversation, turn, created: asked.conversation === undefined });
  return follow(parts, context, { tool: "ask", conversation, turn, isRecorded: true });
}

interface FollowedTurn {
  readonly tool: "ask" | "follow";
  readonly conversation: string;
  readonly turn: string | null;
  /** Whether the call was already written to the audit log. */
  readonly isRecorded: boolean;
}

/**
 * The state of a call that asked a person: a turn and its conversation. It is valid only while the turn waits for a
 * person, because a client may send a state again.
 */
async function resumed(parts: AgentServerParts, state: string): Promise<FollowedTurn> {
  const [turn = "", conversation = ""] = state.split(/ (.*)/s);
  const { openTurn, approvals } = await waitingIn(parts, conversation);
  if (turn !== openTurn || approvals.length === 0)
    throw new CairnError(
      "conflict",
      `The turn does not wait for an answer: another client answered, or the turn has ended. To get the result, call follow with ${JSON.stringify({ conversation, turn })}.`,
      { conversation, turn },
    );
  return { tool: "ask", conversation, turn, isRecorded: false };
}

/** Passes on a person's answer, and follows the turn until it ends or asks again. */
async function follow(
  parts: AgentServerParts,
  context: ServerContext,
  { tool, conversation, turn, isRecorded }: FollowedTurn,
): Promise<Outcome> {
  const { talk: talkOf, record, isAllowed, takeRoom } = parts.callingOf(context);
  const talk = talkOf(conversation);
  const consent = await passAnswers(talk, (await waitingIn(parts, conversation)).approvals, context);
  if (!isRecorded || Object.keys(consent).length > 0) await record({ tool, conversation, turn, consent });
  const { signal } = context.mcpReq;
  // Only the caller that asked for a turn stops it.
  const stop = () => {
    if (!hasSessionEnded(context)) talk.cancel(turn).catch(parts.onFailure);
  };
  const stopping = tool === "ask" ? addAbortListener(signal, stop) : null;
  const followed = await talk.follow(turn, reporter(context), signal).finally(() => stopping?.[Symbol.dispose]());
  if (!(await isAllowed()))
    throw new CairnError(
      "unauthorized",
      "Your access ended while the turn was running. Log in again, then call follow to get the answer.",
      { conversation },
    );
  if (followed.status === "waiting") {
    const { approvals } = await waitingIn(parts, conversation);
    const state = await parts.states.seal(`${followed.turn ?? ""} ${conversation}`, context);
    return askPerson(approvals, conversation, state);
  }
  const answer = await inRoom(
    () => takeRoom(conversation, 1),
    () => readTurnAnswer(parts.store, { ...parts.owner, conversation }, followed.turn ?? turn),
  );
  return {
    content: [{ type: "text", text: answer.text }],
    structuredContent: { conversation, ...answer },
    isError: answer.exit === "error" || answer.exit === "quarantined",
  };
}

/** Only the reading takes much memory, because a result is short. */
async function inRoom<T>(take: () => Promise<() => void>, read: () => Promise<T>): Promise<T> {
  const release = await take();
  try {
    return await read();
  } finally {
    release();
  }
}

/** Whether the call's session has ended. Then the call ends, but its turn continues. */
function hasSessionEnded({ sessionId, mcpReq: { signal } }: ServerContext): boolean {
  const { reason } = signal;
  return sessionId !== undefined && reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
}

interface Waiting {
  readonly openTurn: string | null;
  /** The calls of the open turn that a person has not answered. */
  readonly approvals: readonly Approval[];
}

async function waitingIn({ store, owner }: AgentServerParts, conversation: string): Promise<Waiting> {
  const { state } = await store.loadOutline({ ...owner, conversation });
  const asked = [...state.approvalsRequested.values()];
  return { openTurn: state.openTurn, approvals: asked.filter(({ call_id }) => !state.approvalsGiven.has(call_id)) };
}

async function read({ store, owner }: AgentServerParts, conversation: string, path: string): Promise<string> {
  const found = await store.findByPath({ ...owner, conversation }, path);
  const text = found === null || isInternalArtifact(found.state, found.artifact) ? undefined : found.artifact.text;
  if (text === undefined)
    throw new CairnError("not_found", `There is no text at ${path} in conversation ${conversation}.`);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}...[truncated]` : text;
}

function structured(items: readonly object[]): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify({ items }) }], structuredContent: { items } };
}

/** Reports the calls of the turn to the caller as progress. */
function reporter({ mcpReq }: ServerContext): (tool: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (tool) => {
    const params = { progressToken, progress: ++progress, message: `calls ${tool}` };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // The caller has disconnected.
  };
}

/** Errors that the caller caused become results. Details of other errors are not shown to the caller. */
async function answered(
  parts: AgentServerParts,
  context: ServerContext,
  tool: string,
  work: (record: RecordDone) => Promise<Outcome>,
): Promise<Outcome> {
  const { record } = parts.callingOf(context);
  try {
    return await work((done) => record({ tool, ...done }));
  } catch (error) {
    const known = CairnError.is(error);
    if (!known) parts.onFailure(error);
    const code = known ? error.code : "internal";
    if (code !== "audit_failed") await record({ tool, error: code });
    const message = known ? error.message : "The call failed. The log of the server has the details.";
    return { content: [{ type: "text", text: `${code}: ${message}` }], isError: true };
  }
}
