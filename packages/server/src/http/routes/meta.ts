/** What a client needs to know before it starts. */
import { z } from "@hono/zod-openapi";
import { type App, endpoint } from "../endpoint.ts";
import { limitsOf } from "../limits.ts";
import { usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

export function metaRoutes(app: App, { agents, settings, version }: ServerParts): void {
  endpoint(
    app,
    {
      ...{
        method: "get",
        path: "/api/meta",
        tag: "Server",
        summary: "Agents, limits and the caller's scope",
      },
      answers: {
        200: {
          description: "What a client needs to know before its first message.",
          schema: z.object({
            version: z.string(),
            agents: z.array(z.object({ name: z.string(), model: z.string(), tools: z.array(z.string()) })),
            models: z.array(z.string()).describe("Models that a message may ask for"),
            limits: z.object({ upload_bytes: z.number(), attachments: z.number(), message_chars: z.number() }),
            scope: z.object({ tenant: z.string(), project: z.string(), user: z.string() }),
            offline: z.boolean(),
            inspect: z
              .boolean()
              .describe("Whether the caller may see what is internal: the endpoints of Inspect, exports"),
          }),
        },
        401: usualProblems[401],
      },
    },
    (context) => {
      const { tenant, project, user } = context.get("scope");
      return context.json({
        version,
        agents: agents.all.map(({ name, model, tools = [] }) => ({
          name,
          model: model.id,
          tools: tools.map(({ id }) => id),
        })),
        models: agents.models,
        limits: limitsOf(settings),
        scope: { tenant, project, user },
        offline: agents.all.every(({ model }) => model.id === "offline"),
        inspect: context.get("caller")?.mayInspect === true,
      });
    },
  );
}
