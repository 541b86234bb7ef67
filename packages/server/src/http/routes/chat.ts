/**
 * The AI SDK's own protocol: `useChat` with its default transport works unchanged. The id of a chat is the id of a
 * conversation, which is created with its first message. A turn continues when its client disconnects. A client that
 * reconnects gets the whole message so far again.
 */
import { randomUUID } from "node:crypto";
import { answerApproval } from "@cairn/agent";
import * as api from "@cairn/api";
import { type ConversationInfo, type ConversationKey, everyBranch } from "@cairn/store";
import { CairnError, makeEvent, nullIfNotFound } from "@cairn/timeline";
import { limitsOf, newConversationId } from "cairn-agent/process";
import {
  admitMessage,
  answersShown,
  beginConversation,
  branchBefore,
  cancelTurn,
  findRunning,
  findTurn,
  findTurnOfMessage,
  type NewMessage,
  reserveOutput,
  takeMessage,
} from "cairn-agent/turns";
import { agentsOf, checkMayApprove, mayApprove } from "../../auth/caller.ts";
import { answeredApprovals, lastSaid } from "../../chat/chat-request.ts";
import { openChatStream, waitingStream } from "../../chat/chat-stream.ts";
import { readHistory } from "../../chat/read-history.ts";
import { STREAM_HEADERS, type TurnStreamOptions } from "../../chat/turn-stream.ts";
import { BASE64_GROWTH } from "../../shares/request-limits.ts";
import { type App, endpoint, keyOf, type ServerContext } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

const HEADERS = { ...STREAM_HEADERS, "x-vercel-ai-ui-message-stream": "v1" };

export function chatRoutes(app: App, parts: ServerParts): void {
  const { store, queue, room, now } = parts;

  const send = async (context: ServerContext, key: ConversationKey, options: Omit<TurnStreamOptions, "cutOff">) => {
    const { isAllowed, cutOff } = context.var;
    return new Response(await openChatStream(parts, key, { ...options, isAllowed, cutOff }), { headers: HEADERS });
  };

  /** A chat continues in the version of its conversation that was shown last. */
  async function shownOf(asked: ConversationKey): Promise<ConversationKey> {
    const info = await store.getConversation(asked).catch(nullIfNotFound);
    if (info === null || info.listed) return asked;
    for await (const { conversation, listed } of everyBranch(store, asked))
      if (listed) return { ...asked, conversation };
    return asked;
  }

  /** Creates a branch from before the turn of a message that is edited or answered again; null without such a turn. */
  async function newVersion(key: ConversationKey, messageId: string): Promise<ConversationInfo | null> {
    const name = `chat-${messageId}`;
    const isMeant = (each: string) => each === name || each.startsWith(`${name}~`);
    const turnId = await findTurnOfMessage(store, key, isMeant).catch(nullIfNotFound);
    if (turnId === null) return null;
    return branchBefore({ store: parts.atOnce, now }, key, newConversationId(now()), turnId);
  }

  /** Removes a version whose message was refused, and shows the earlier version again. */
  async function undoVersion(key: ConversationKey, { conversation, last_seq }: ConversationInfo): Promise<void> {
    const version = { ...key, conversation };
    if ((await store.getConversation(version)).last_seq > last_seq) return; // The message was stored.
    await store.deleteConversation(version);
    await store.show(key);
  }

  endpoint(
    app,
    api.sendChat,
    async (context, { body }) => {
      const key = await shownOf(keyOf(context, body));
      context.set("conversation", body.id);
      const answered = answeredApprovals(body.messages);
      if (answered.length > 0) return goOn(context, key, answered);
      const said = lastSaid(body.messages);
      const agents = agentsOf(context.get("caller"), parts.agents);
      const taking = { ...parts, agents };
      const { model, settings, reasoning, time_zone } = body;
      const known = { context: context.get("caller")?.context };
      const asked = { model, settings, reasoning, time_zone, ...known };
      const sent: NewMessage = { message: said.text, mode: "turn", files: said.files, ...asked };
      // A message that is rejected must not create an empty conversation.
      await admitMessage(taking, key, sent);
      if (await beginConversation(store, key, agents.find(null).name)) context.set("created", body.id);
      const isAgain = isNewAttempt(body);
      const version = isAgain ? await newVersion(key, said.id) : null;
      const into = version === null ? key : { ...key, conversation: version.conversation };
      const name = `chat-${said.id}${isAgain ? `~${randomUUID()}` : ""}`;
      const taken = await takeMessage(taking, into, sent, name).catch(async (error: unknown) => {
        if (version !== null) await undoVersion(key, version);
        throw error;
      });
      const { turn_id: turnId } = taken;
      if (turnId === null)
        throw new CairnError(
          "corrupt",
          "The message was stored without the id of its turn, so its answer cannot be followed.",
        );
      context.set("turn", turnId);
      if (await waitsForOthers(context, into, taken.input_key))
        return new Response(waitingStream(into.conversation, turnId), { headers: HEADERS });
      const stops = body.on_disconnect === "stop" ? { onLeft: () => cancelTurn(parts, into, turnId) } : {};
      return send(context, into, { turnId, message: taken.input_key, from: taken.seq, ...stops });
    },
    Math.ceil(limitsOf(parts.settings).upload_bytes * BASE64_GROWTH),
  );

  endpoint(app, api.readChat, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    // A chat begins with its first message. Before the first message, its history is empty.
    const info = await store.getConversation(key).catch(nullIfNotFound);
    if (info === null) return answer(200, []);
    const shown = await shownOf(key);
    await context.get("takeRoom")(shown, 2);
    const { messages, before } = await readHistory(parts, shown, query);
    const response = answer(200, messages);
    if (before !== null) response.headers.set("cairn-before", String(before));
    return response;
  });

  endpoint(app, api.resumeChat, async (context, { params }) => {
    const key = await shownOf(keyOf(context, params));
    const running = await findRunning(store, key);
    return running === null ? context.body(null, 204) : send(context, key, running);
  });

  /**
   * Whether the message stays in the queue, because a turn waits for an approval that the caller may not give.
   *
   * If a caller who may approve sends a new message instead of an answer, the waiting turn is cancelled without making
   * its calls, and the message is answered now. Sending a message again changes nothing.
   */
  async function waitsForOthers(context: ServerContext, key: ConversationKey, inputKey: string): Promise<boolean> {
    const { openTurn, pendingInputs, approvalsRequested, approvalsGiven, unsettled } = (await store.loadOutline(key))
      .state;
    const isAnswered = [...approvalsRequested.keys()].some((call) => approvalsGiven.has(call));
    const isWaiting =
      openTurn !== null &&
      approvalsRequested.size > 0 &&
      [...unsettled.keys()].every((call) => approvalsRequested.get(call)?.question) &&
      !isAnswered;
    if (!isWaiting || !pendingInputs.has(inputKey)) return false;
    if ([...approvalsRequested.values()].some((asked) => !mayApprove(context.get("caller"), asked))) return true;
    await cancelTurn(parts, key);
    return false;
  }

  /** The client already has the message up to the question, so it gets only what follows the answers. */
  async function goOn(
    context: ServerContext,
    key: ConversationKey,
    answered: ReturnType<typeof answeredApprovals>,
  ): Promise<Response> {
    const { state } = await store.loadOutline(key);
    const { openTurn } = state;
    const asked = answered.filter((answer) => {
      const request = state.approvalsRequested.get(answer.call_id);
      // A client that ran a call does not know the hash. Answers of other kinds belong to earlier calls.
      const isOutput = answer.output !== undefined || answer.error !== undefined;
      if (request?.client === true) return isOutput || !answer.approve;
      return request !== undefined && !isOutput && answersShown(request, answer);
    });
    if (openTurn === null || asked.length === 0) throw new CairnError("not_found", "No call is waiting for approval.");
    context.set("turn", openTurn);
    context.set("consent", Object.fromEntries(asked.map(({ call_id, approve }) => [call_id, approve])));
    for (const { call_id, approve } of asked)
      checkMayApprove(context.get("caller"), state.approvalsRequested.get(call_id), approve);
    const ts = new Date(now()).toISOString();
    const events = asked.flatMap(({ call_id, hash: _, ...given }) => {
      const request = state.approvalsRequested.get(call_id);
      return request === undefined ? [] : [makeEvent("approval.given", answerApproval(key, request, { ...given, ts }))];
    });
    for (const { output } of asked) await reserveOutput(room, key, output);
    const { seqs } = await store.append(key, events);
    await queue.offer(key);
    const { opened } = await findTurn(store, key, openTurn);
    return send(context, key, { turnId: openTurn, from: opened - 1, known: Math.min(...seqs) });
  }
}

/** Whether a message with a known id is edited or should be answered again. */
function isNewAttempt({ trigger, messageId }: api.RequestOf<typeof api.sendChat>["body"]): boolean {
  return trigger === "regenerate-message" || messageId !== undefined;
}
