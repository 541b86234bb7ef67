/** Actions of a person other than messages: stop a turn, approve or refuse a call, give feedback, fork. */

import { randomUUID } from "node:crypto";
import { answerApproval } from "@cairn/agent";
import * as api from "@cairn/api";
import type { ConversationKey, Lease } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { forkConversation, withLease } from "cairn-agent/turns";
import { answersShown } from "../answers-shown.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import { newConversationId } from "./conversations.ts";
import type { ServerParts } from "./server-parts.ts";

/** A new fork is unknown to others, except to processes that look for turns to run. */
const FORK_PATIENCE_MS = 1_500;
export function actionRoutes(app: App, parts: ServerParts): void {
  const { store, atOnce, queue, room, now } = parts;
  const timestamp = () => new Date(now()).toISOString();

  endpoint(app, api.cancelTurn, async (context, { params }, answer) => {
    const key = keyOf(context, params);
    const what = await whatToCancel(key);
    if (what === null) return answer(202, { seq: (await store.getConversation(key)).last_seq });
    // The store keeps one event for each key, so repeated requests to stop the same turn take no room.
    const { seqs } = await atOnce.append(key, [makeEvent("cancel.requested", { key: what, ts: timestamp() })]);
    await queue.offer(key);
    return answer(202, { seq: seqs[0] ?? 0 });
  });

  /**
   * A name for the turn that is running or waiting; null when there is none. Whoever has used up its share of the
   * processor can still stop a running turn at once.
   */
  async function whatToCancel(key: ConversationKey): Promise<string | null> {
    const { open_turn } = await atOnce.getConversation(key);
    if (open_turn !== null) return `cancel-${open_turn}`;
    const [next] = (await store.load(key)).state.pendingInputs.keys();
    return next === undefined ? null : `cancel-${next}`;
  }

  endpoint(app, api.answerApproval, async (context, { params, body }, answer) => {
    const key = keyOf(context, params);
    const { state } = await store.load(key);
    const asked = state.approvalsRequested.get(params.call);
    if (asked === undefined)
      throw new CairnError("not_found", "No call with this id is waiting for approval.", { call_id: params.call });
    const call_id = params.call;
    context.set("consent", { [call_id]: body.approve });
    if (body.approve && body.hash === undefined && asked.hash !== undefined)
      throw new CairnError("bad_request", "Send the `hash` of the request for approval that was shown.", { call_id });
    if (!answersShown(asked, { approve: body.approve, hash: body.hash ?? null }))
      throw new CairnError(
        "conflict",
        "The call that waits for approval is not the one that was shown. Show it again, then answer.",
        { call_id },
      );
    const said = { approve: body.approve, remember: body.remember === true, ts: timestamp() };
    const given = answerApproval(key, asked, said);
    const { seqs } = await store.append(key, [makeEvent("approval.given", given)]);
    await queue.offer(key);
    const [seq = 0] = seqs;
    const event = (await store.readEvents(key, { after: seq - 1, limit: 1 }))[0]?.event;
    const kept = event === undefined || "unknown" in event || event.kind !== "approval.given" ? null : event.body;
    if (kept !== null && kept.approve !== body.approve)
      throw new CairnError("conflict", "This call was already answered with a different decision.", { call_id });
    return answer(202, { seq });
  });

  endpoint(app, api.giveFeedback, async (context, { params, body }, answer) => {
    const key = keyOf(context, params);
    const { state } = await store.load(key);
    if (!state.turnIds.includes(params.turn))
      throw new CairnError("not_found", "The conversation has no such turn.", { turn_id: params.turn });
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
    if (body.resend) await queue.admit({ ...key, conversation });
    const withLeaseOf = <T>(fork: ConversationKey, write: (lease: Lease) => Promise<T>) =>
      withLease({ store: atOnce, now }, fork, FORK_PATIENCE_MS, write);
    await context.get("intake").turn();
    // From here on nothing waits: a worker that finds the fork meanwhile would run a message that is to be set aside.
    await forkConversation({ store: atOnce, withLease: withLeaseOf }, key, conversation, body.at, body.resend);
    context.set("created", conversation);
    if (body.resend) await queue.offer({ ...key, conversation });
    return answer(201, { conversation_id: conversation });
  });
}
