/** The cost of the caller's model requests, by day. */
import * as api from "@cairn/api";
import { type App, endpoint } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export function spendingRoutes(app: App, { store, now }: ServerParts): void {
  endpoint(app, api.readSpending, async (context, { query }, answer) => {
    const { days, since } = query;
    const today = Math.floor(now() / DAY_MS) * DAY_MS;
    const first = since === undefined ? today - (days - 1) * DAY_MS : Date.parse(since);
    const scope = context.get("scope");
    const spent: api.SpentDay[] = [];
    for (let from = first; spent.length < days; from += DAY_MS)
      spent.push({
        from: new Date(from).toISOString(),
        ...(await store.spending(scope, { since: from, until: from + DAY_MS })),
      });
    return answer(200, { days: spent });
  });
}
