/** For operators: liveness, readiness and metrics. */

import { CairnError } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { type App, endpoint } from "../endpoint.ts";
import { problemSchema, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const tag = "Server";
const ok = z.object({ ok: z.literal(true) });

export function healthRoutes(app: App, { store, room, isDraining }: ServerParts): void {
  endpoint(
    app,
    {
      ...{ method: "get", path: "/healthz", tag, summary: "Liveness: whether the process runs" },
      answers: { 200: { description: "The process runs.", schema: ok } },
    },
    (context) => context.json({ ok: true }),
  );
  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/readyz",
        tag,
        summary: "Readiness: the store answers, the disk has space and the server is not stopping",
      },
      answers: {
        200: { description: "The server accepts requests.", schema: ok },
        503: { description: "The server does not accept requests now.", schema: problemSchema },
      },
    },
    async (context) => {
      if (isDraining()) throw new CairnError("draining", "The server is stopping.");
      await room.checkReserve("no_room");
      await store.listConversations(LOCAL_SCOPE, { limit: 1 });
      return context.json({ ok: true });
    },
  );
}

export function metricsRoute(app: App, { telemetry }: ServerParts): void {
  endpoint(
    app,
    {
      ...{ method: "get", path: "/metrics", tag, summary: "Metrics in the Prometheus text format" },
      answers: { 200: { description: "Text.", mime: "text/plain" }, 401: usualProblems[401] },
    },
    async (context) =>
      context.text(await telemetry.metricsText({ isOperator: context.get("caller")?.isOperator === true }), 200, {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
      }),
  );
}
