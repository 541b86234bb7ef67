/** Actions of a person other than messages: stop a turn, approve or refuse a call, give feedback, fork. */
import { randomUUID } from "node:crypto";
import { answerApproval } from "@cairn/agent";
import type { ConversationKey, Lease } from "@cairn/store";
import { CairnError, makeEvent, type TimelineEvent } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { forkConversation, forkPoint } from "../../turns/fork.ts";
import { type App, endpoint, type ServerContext } from "../endpoint.ts";
import { conversationParams, problemSchema, usualProblems, writtenText } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";
import { withLease } from "../with-lease.ts";
import { newConversationId } from "./conversations.ts";

const tag = "Turns";
/** A new fork is unknown to others, except to processes that look for turns to run. */
const FORK_PATIENCE_MS = 1_500;
const accepted = {
  202: { description: "The event was stored.", schema: z.object({ seq: z.number().int() }) },
  ...usualProblems,
};

export function actionRoutes(app: App, parts: ServerParts): void {
  const { store, queue, room, now } = parts;
  const keyOf = (context: ServerContext, id: string): ConversationKey => ({
    ...context.get("scope"),
    conversation: id,
  });
  const timestamp = () => new Date(now()).toISOString();

  async function take(context: ServerContext, key: ConversationKey, event: TimelineEvent): Promise<Response> {
    const { seqs } = await store.append(key, [event]);
    await queue.offer(key);
    return context.json({ seq: seqs[0] ?? 0 }, 202);
  }

  endpoint(
    app,
    {
      ...{
        method: "post",
        path: "/api/conversations/{id}/cancel",
        tag,
        summary: "Stops the turn that is running or waiting",
      },
      params: conversationParams,
      answers: accepted,
    },
    (context, { params }) =>
      take(context, keyOf(context, params.id), makeEvent("cancel.requested", { key: randomUUID(), ts: timestamp() })),
  );

  endpoint(
    app,
    {
      ...{
        method: "post",
        path: "/api/conversations/{id}/approvals/{call}",
        tag,
        summary: "Approves or refuses a call",
      },
      params: conversationParams.extend({ call: z.string().min(1).max(200) }),
      body: z.object({
        approve: z.boolean(),
        /** The `hash` of what was shown. An answer to anything else is rejected. */
        hash: z.string().max(200).optional(),
        /** Also approves later calls of the tool in this conversation. */
        remember: z.boolean().optional(),
      }),
      answers: {
        ...accepted,
        409: {
          description:
            "The call was already answered with a different decision, or the call that waits for approval is not the one that was shown.",
          schema: problemSchema,
        },
      },
    },
    async (context, { params, body }) => {
      const key = keyOf(context, params.id);
      const { state } = await store.load(key);
      const asked = state.approvalsRequested.get(params.call);
      if (asked === undefined)
        throw new CairnError("not_found", "No call with this id is waiting for approval.", { call_id: params.call });
      const call_id = params.call;
      context.set("consent", { [call_id]: body.approve });
      if (body.hash !== undefined && body.hash !== asked.hash)
        throw new CairnError(
          "conflict",
          "The call that waits for approval is not the one that was shown. Show it again, then answer.",
          { call_id },
        );
      const given = answerApproval(key, asked, {
        ...{ approve: body.approve, remember: body.remember === true, ts: timestamp() },
      });
      const { seqs } = await store.append(key, [makeEvent("approval.given", given)]);
      await queue.offer(key);
      const [seq = 0] = seqs;
      const event = (await store.readEvents(key, { after: seq - 1, limit: 1 }))[0]?.event;
      const kept = event === undefined || "unknown" in event || event.kind !== "approval.given" ? null : event.body;
      if (kept !== null && kept.approve !== body.approve)
        throw new CairnError("conflict", "This call was already answered with a different decision.", { call_id });
      return context.json({ seq }, 202);
    },
  );

  endpoint(
    app,
    {
      ...{ method: "post", path: "/api/conversations/{id}/turns/{turn}/feedback", tag, summary: "Reacts to a turn" },
      params: conversationParams.extend({ turn: z.string().min(1).max(200) }),
      body: z.object({ reaction: writtenText().trim().min(1).max(200), text: writtenText().max(10_000).optional() }),
      answers: accepted,
    },
    async (context, { params, body }) => {
      const key = keyOf(context, params.id);
      const { state } = await store.load(key);
      if (!state.turnIds.includes(params.turn))
        throw new CairnError("not_found", "The conversation has no such turn.", { turn_id: params.turn });
      await room.check(key);
      const text = body.text === undefined ? {} : { text: body.text };
      const about = { key: randomUUID(), turn_id: params.turn, reaction: body.reaction, ts: timestamp(), ...text };
      const { seqs } = await store.append(key, [makeEvent("feedback.received", about)]);
      return context.json({ seq: seqs[0] ?? 0 }, 202);
    },
  );

  endpoint(
    app,
    {
      ...{ method: "post", path: "/api/conversations/{id}/fork", tag: "Conversations" },
      summary: "Starts a new conversation from a point in this one",
      params: conversationParams,
      body: z.object({
        at: forkPoint,
        /** Forks before the turn, but keeps its message and sends it again. */
        resend: z.boolean().default(false),
      }),
      answers: {
        201: { description: "The new conversation exists.", schema: z.object({ conversation_id: z.string() }) },
        409: { description: "A call was open at that point.", schema: problemSchema },
        ...usualProblems,
      },
    },
    async (context, { params, body }) => {
      const key = keyOf(context, params.id);
      await room.check(key);
      const conversation = newConversationId(now());
      if (body.resend) await queue.admit({ ...key, conversation });
      const withLeaseOf = <T>(fork: ConversationKey, write: (lease: Lease) => Promise<T>) =>
        withLease(parts, fork, FORK_PATIENCE_MS, write);
      await forkConversation({ store, withLease: withLeaseOf }, key, conversation, body.at, body.resend);
      context.set("created", conversation);
      if (body.resend) await queue.offer({ ...key, conversation });
      return context.json({ conversation_id: conversation }, 201);
    },
  );
}
