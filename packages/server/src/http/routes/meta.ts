/** The endpoint with the information that a client needs at its start. */
import * as api from "@cairn/api";
import { limitsOf } from "cairn-agent/process";
import { agentsOf } from "../../auth/caller.ts";
import { type App, endpoint } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

export function metaRoutes(app: App, { agents: all, settings, version }: ServerParts): void {
  endpoint(app, api.readMeta, (context, _request, answer) => {
    const { tenant, project, user } = context.get("scope");
    const agents = agentsOf(context.get("caller"), all);
    return answer(200, {
      version,
      agents: agents.all.map(({ name, model, tools = [] }) => ({
        name,
        model: model.id,
        tools: tools.map(({ id }) => id),
      })),
      models: agents.models,
      limits: limitsOf(settings),
      scope: { tenant, project, user },
      mcp_servers: agents.mcpServers.length,
      offline: agents.all.every(({ model }) => model.id === "offline"),
      inspect: context.get("caller")?.mayInspect === true,
    });
  });
}
