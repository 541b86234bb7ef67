/** Endpoints to list, correct and delete the user's standing orders. */
import { randomUUID } from "node:crypto";
import { changeOrder, listOrders, type OrderChange } from "@cairn/agent";
import * as api from "@cairn/api";
import { type App, endpoint, keyOf, type ServerContext } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

export function orderRoutes(app: App, { store, room, now }: ServerParts): void {
  const change = async (context: ServerContext, params: { readonly id: string }, changed: OrderChange) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 2);
    const input = { key: randomUUID(), ts: new Date(now()).toISOString() };
    return { orders: await changeOrder(store, key, changed, input) };
  };

  endpoint(app, api.listOrders, async (context, { params }, answer) => {
    const key = keyOf(context, params);
    await context.get("takeRoom")(key, 2);
    return answer(200, { orders: await listOrders(store, key) });
  });

  endpoint(app, api.addOrder, async (context, { params, body }, answer) => {
    await room.check(context.get("scope"));
    return answer(200, await change(context, params, given(body)));
  });

  endpoint(app, api.correctOrder, async (context, { params, body }, answer) => {
    await room.check(context.get("scope"));
    return answer(200, await change(context, params, { id: params.order, ...given(body) }));
  });

  endpoint(app, api.deleteOrder, async (context, { params }, answer) =>
    answer(200, await change(context, params, { id: params.order })),
  );
}

function given({ text, kind: about }: api.RequestOf<typeof api.addOrder>["body"]): OrderChange {
  return { text, ...(about === undefined ? {} : { kind: about }) };
}
