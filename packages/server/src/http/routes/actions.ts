/** Endpoints for actions besides messages: stop a turn, approve or refuse a call, give feedback, fork. */
import { randomUUID } from "node:crypto";
import * as api from "@cairn/api";
import type { ConversationKey, Lease } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { newConversationId } from "cairn-agent/process";
import {
  type Agents,
  agentOfTurn,
  answerCall,
  cancelTurn,
  forkConversation,
  stopAll,
  withdrawMessage,
  withLease,
} from "cairn-agent/turns";
import { agentsOf, checkMayApprove } from "../../auth/caller.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

/** How long a new fork waits for its lease. Only a process that looks for turns may hold the lease. */
const FORK_PATIENCE_MS = 1_500;
export function actionRoutes(app: App, parts: ServerParts): void {
  const { store, atOnce, queue, room, now } = parts;
  const timestamp = () => new Date(now()).toISOString();

  endpoint(app, api.cancelTurn, async (context, { params, query }, answer) => {
    const key = keyOf(context, params);
    if (query.message !== undefined) return answer(202, { seq: await withdrawMessage(parts, key, query.message) });
    return answer(202, { seq: await (query.waiting === "withdraw" ? stopAll : cancelTurn)(parts, key) });
  });

  endpoint(app, api.answerApproval, async (context, { params, body }, answer) => {
    const { hash = null, remember = false, params: edited, ...said } = body;
    const key = keyOf(context, params);
    const { state } = await store.loadOutline(key);
    // The audit log records the answers to these calls, even if an answer is rejected.
    const asked = state.approvalsRequested.get(params.call);
    if (asked !== undefined) context.set("consent", { [params.call]: said.approve });
    checkMayApprove(context.get("caller"), asked, said.approve);
    const given = { ...said, call_id: params.call, hash, remember, params: edited };
    return answer(202, { seq: await answerCall(parts, key, given) });
  });

  /** Throws `forbidden` if an agent that the caller may not use would answer a message in the fork. */
  async function checkAgents(key: ConversationKey, at: api.ForkPoint, agents: Agents): Promise<void> {
    if (!agents.isLimited) return;
    if (typeof at !== "number") return void agents.find(await agentOfTurn(store, key, at.turn_id));
    const waiting = (await store.stateAt(key, at)).state.pendingInputs.values();
    for (const { agent = null } of waiting) if (agent !== null) agents.find(agent);
  }

  endpoint(app, api.giveFeedback, async (context, { params, body }, answer) => {
    const key = keyOf(context, params);
    const { state } = await store.loadOutline(key);
    if (!state.turnIds.includes(params.turn))
      throw new CairnError("not_found", "The conversation has no turn with this id.", { turn_id: params.turn });
    await room.check(key);
    const text = body.text === undefined ? {} : { text: body.text };
    const about = { key: randomUUID(), turn_id: params.turn, reaction: body.reaction, ts: timestamp(), ...text };
    const { seqs } = await store.append(key, [makeEvent("feedback.received", about)]);
    return answer(202, { seq: seqs[0] ?? 0 });
  });

  endpoint(app, api.forkConversation, async (context, { params, body }, answer) => {
    const key = keyOf(context, params);
    await room.check(key);
    const conversation = newConversationId(now());
    await checkAgents(key, body.at, agentsOf(context.get("caller"), parts.agents));
    if (body.resend) await queue.admit({ ...key, conversation });
    const withLeaseOf = <T>(fork: ConversationKey, write: (lease: Lease) => Promise<T>) =>
      withLease({ store: atOnce, now }, fork, FORK_PATIENCE_MS, write);
    await context.get("intake").turn();
    // No step from here on waits for processor time: a worker could run a message that is to be discarded.
    await forkConversation({ store: atOnce, withLease: withLeaseOf }, key, conversation, body.at, body.resend);
    context.set("created", conversation);
    if (body.resend) await queue.offer({ ...key, conversation });
    return answer(201, { conversation_id: conversation });
  });
}
