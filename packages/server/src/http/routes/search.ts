/** The endpoint that searches one conversation. */
import * as api from "@cairn/api";
import { type App, endpoint } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

export function searchRoutes(app: App, { store }: ServerParts): void {
  endpoint(app, api.searchConversation, async (context, { params, query }, answer) => {
    const { q, match, type, turn, since, until, limit, cursor } = query;
    const { items, next } = await store.search(context.get("scope"), q, {
      conversation: params.id,
      match,
      limit,
      forPeople: true,
      signal: context.req.raw.signal,
      ...(type === undefined ? {} : { types: type.split(",") }),
      ...(turn === undefined ? {} : { turn }),
      ...(since === undefined ? {} : { since: Date.parse(since) }),
      ...(until === undefined ? {} : { until: Date.parse(until) }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return answer(200, { hits: items.map(({ conversation: _, internal: __, ...hit }) => hit), next_cursor: next });
  });
}
