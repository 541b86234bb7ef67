/** One conversation as a person sees it: its last turns, live text, waiting messages and approvals. */

import { readStreamName } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import { z } from "@hono/zod-openapi";
import { readView } from "../../view/read-view.ts";
import { describeConversation } from "../describe-conversation.ts";
import { type App, endpoint } from "../endpoint.ts";
import {
  approvalSchema,
  conversationParams,
  conversationSchema,
  countInQuery,
  sourceSchema,
  turnSchema,
  usualProblems,
} from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

export function conversationRoute(app: App, parts: ServerParts): void {
  const { store, live } = parts;
  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/api/conversations/{id}",
        tag: "Conversations",
        summary: "Reads a conversation's turns",
      },
      params: conversationParams,
      query: z.object({ before: countInQuery(1, 1e9).optional(), limit: countInQuery(1, 100).default(20) }),
      answers: {
        200: {
          description:
            "The last turns, or those before turn number `before`. To continue, follow the events after `seq`.",
          schema: z.object({
            conversation: conversationSchema,
            seq: z.number().int(),
            turns: z.array(turnSchema),
            has_more: z.boolean(),
            sources: z.array(sourceSchema),
            highest_sid: z.number().int(),
            streams: z.array(
              z.object({
                stream: z.string(),
                turn_id: z.string().nullable(),
                kind: z.enum(["say", "thinking", "write", "code"]),
                path: z.string().optional(),
                text: z.string(),
              }),
            ),
            pending: z.array(
              z.object({
                key: z.string(),
                mode: z.enum(["turn", "steer", "follow-up"]),
                message: z.string(),
                attachments: z.array(z.object({ name: z.string(), mime: z.string(), size_bytes: z.number() })),
                ts: z.string(),
              }),
            ),
            approvals: z.array(approvalSchema),
          }),
        },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const { before, limit } = query;
      const view = await readView(store, key, { limit, ...(before === undefined ? {} : { before }) });
      const info = await store.getConversation(key);
      const conversation = await describeConversation(parts, key, info);
      return context.json({ conversation, ...view, streams: await openStreams(key) });
    },
  );

  /** The text of a turn in this process, or the saved text of a turn in another. */
  async function openStreams(key: ConversationKey) {
    const here = live.openStreams(key);
    if (here.length > 0) return here.map(({ type: _, offset: __, ...stream }) => stream);
    return (await store.openStreams(key)).flatMap(({ stream, text }) => {
      const facts = readStreamName(stream);
      if (facts === null) return [];
      const where = facts.path === null ? {} : { path: facts.path };
      return [{ stream, turn_id: facts.turnId, kind: facts.kind, ...where, text }];
    });
  }
}
