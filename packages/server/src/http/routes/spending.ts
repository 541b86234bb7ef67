/** The endpoint for the cost of the caller's model requests, by day. */
import * as api from "@cairn/api";
import { type App, endpoint } from "../endpoint.ts";
import { lastDays } from "../local-days.ts";
import type { ServerParts } from "./server-parts.ts";

export function spendingRoutes(app: App, { store, now }: ServerParts): void {
  endpoint(app, api.readSpending, async (context, { query }, answer) => {
    const scope = context.get("scope");
    const spent: api.SpentDay[] = [];
    for (const { since, until } of lastDays(query.days, now(), query.time_zone))
      spent.push({ from: new Date(since).toISOString(), ...(await store.spending(scope, { since, until })) });
    return answer(200, { days: spent });
  });
}
