/** The user's standing orders, to list, correct and delete. */
import { randomUUID } from "node:crypto";
import { changeOrder, listOrders, type OrderChange } from "@cairn/agent";
import type { ConversationKey } from "@cairn/store";
import { ORDER_KINDS } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { type App, endpoint, type ServerContext } from "../endpoint.ts";
import { conversationParams, usualProblems, writtenText } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const tag = "Standing orders";
const kind = z.enum(ORDER_KINDS);
const orderSchema = z
  .object({
    id: z.string(),
    kind,
    text: z.string(),
    /** The message or note that contains it; null until the next turn. */
    path: z.string().nullable(),
    by: z.enum(["person", "agent"]),
  })
  .openapi("StandingOrder");
const words = z.object({ text: writtenText().trim().min(1).max(600), kind: kind.optional() });
const answers = {
  200: { description: "The current orders, oldest first.", schema: z.object({ orders: z.array(orderSchema) }) },
  ...usualProblems,
};

export function orderRoutes(app: App, { store, room, now }: ServerParts): void {
  const path = "/api/conversations/{id}/orders";
  const one = `${path}/{order}`;
  const orderParams = conversationParams.extend({ order: z.string().min(1).max(64) });
  const keyOf = (context: ServerContext, id: string): ConversationKey => ({
    ...context.get("scope"),
    conversation: id,
  });
  const change = async (context: ServerContext, id: string, changed: OrderChange): Promise<Response> => {
    const input = { key: randomUUID(), ts: new Date(now()).toISOString() };
    return context.json({ orders: await changeOrder(store, keyOf(context, id), changed, input) });
  };

  endpoint(
    app,
    {
      method: "get",
      path,
      tag,
      summary: "Lists the user's standing orders",
      params: conversationParams,
      answers,
    },
    async (context, { params }) => context.json({ orders: await listOrders(store, keyOf(context, params.id)) }),
  );

  endpoint(
    app,
    { method: "post", path, tag, summary: "Adds an order", params: conversationParams, body: words, answers },
    async (context, { params, body }) => {
      await room.check(context.get("scope"));
      return change(context, params.id, given(body));
    },
  );

  endpoint(
    app,
    { method: "patch", path: one, tag, summary: "Corrects an order", params: orderParams, body: words, answers },
    async (context, { params, body }) => {
      await room.check(context.get("scope"));
      return change(context, params.id, { id: params.order, ...given(body) });
    },
  );

  endpoint(
    app,
    { method: "delete", path: one, tag, summary: "Deletes an order", params: orderParams, answers },
    (context, { params }) => change(context, params.id, { id: params.order }),
  );
}

function given({ text, kind: about }: z.output<typeof words>): OrderChange {
  return { text, ...(about === undefined ? {} : { kind: about }) };
}
