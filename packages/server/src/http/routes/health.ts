/** Endpoints for operators: liveness, readiness and metrics. */
import * as api from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { type App, endpoint } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

export function healthRoutes(app: App, { store, room, isDraining }: ServerParts): void {
  endpoint(app, api.checkHealth, (_context, _request, answer) => answer(200, { ok: true }));
  endpoint(app, api.checkReadiness, async (_context, _request, answer) => {
    if (isDraining()) throw new CairnError("draining", "The server is stopping.");
    await room.checkReserve("no_room");
    await store.listConversations(LOCAL_SCOPE, { limit: 1 });
    return answer(200, { ok: true });
  });
}

export function metricsRoute(app: App, { telemetry }: ServerParts): void {
  endpoint(app, api.readMetrics, async (context) =>
    context.text(await telemetry.metricsText({ isOperator: context.get("caller")?.isOperator === true }), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    }),
  );
}
