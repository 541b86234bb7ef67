import { z } from "zod";
import { defineEndpoint } from "../definition/endpoint.ts";
import { problem, usualProblems } from "../definition/problem.ts";

const tag = "Server";
const ok = z.object({ ok: z.literal(true) });

export const checkHealth = defineEndpoint({
  method: "get",
  path: "/healthz",
  tag,
  summary: "Liveness: whether the process runs",
  answers: { 200: { description: "The process runs.", schema: ok } },
});

export const checkReadiness = defineEndpoint({
  method: "get",
  path: "/readyz",
  tag,
  summary: "Readiness: the store answers, the disk has space and the server is not stopping",
  answers: {
    200: { description: "The server accepts requests.", schema: ok },
    503: problem("The server does not accept requests now."),
  },
});

export const readMetrics = defineEndpoint({
  method: "get",
  path: "/metrics",
  tag,
  summary: "Metrics in the Prometheus text format",
  answers: { 200: { description: "Text.", mime: "text/plain" }, 401: usualProblems[401] },
});
