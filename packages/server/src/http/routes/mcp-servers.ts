/** Endpoints for the MCP servers of the agents: logins and prompts. */
import * as api from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import { agentsOf } from "../../auth/caller.ts";
import { isOriginOf } from "../../auth/loopback.ts";
import { type App, endpoint, type ServerContext } from "../endpoint.ts";
import type { ServerParts } from "./server-parts.ts";

/** The page of the app to which an authorization server sends the user back. */
const CALLBACK = "/mcp-login";

export function mcpServerRoutes(app: App, { agents: all, prefix }: ServerParts): void {
  const agentsFor = (context: ServerContext) => agentsOf(context.get("caller"), all);
  const ownerOf = (context: ServerContext) => {
    const { tenant, project, user } = context.get("scope");
    return { tenant, project, user };
  };

  endpoint(app, api.listMcpServers, async (context, _, answer) => {
    const { signal } = context.req.raw;
    const states = agentsFor(context).mcpServers.map((server) => server.stateFor(ownerOf(context), signal));
    return answer(200, {
      servers: (await Promise.all(states)).map((each) => ({ ...each, problems: [...each.problems] })),
    });
  });

  endpoint(app, api.listPrompts, async (context, _, answer) => {
    const { signal } = context.req.raw;
    const listed = await Promise.all(
      agentsFor(context).mcpServers.map((server) => server.prompts(ownerOf(context), signal)),
    );
    return answer(200, { prompts: listed.flat().map((each) => ({ ...each, arguments: [...each.arguments] })) });
  });

  endpoint(app, api.beginMcpLogin, async (context, { params }, answer) => {
    const back = `${originOf(context)}${prefix}${CALLBACK}`;
    const server = agentsFor(context).mcpServer(params.server);
    return answer(200, { address: await server.beginLogin(ownerOf(context), back, context.req.raw.signal) });
  });

  endpoint(app, api.finishMcpLogin, async (context, { params, body }, answer) => {
    const server = agentsFor(context).mcpServer(params.server);
    await server.finishLogin(ownerOf(context), new URLSearchParams(body.parameters));
    return answer(200, { server: server.name });
  });

  endpoint(app, api.endMcpLogin, async (context, { params }) => {
    if (await agentsFor(context).mcpServer(params.server).logOut(ownerOf(context))) return context.body(null, 204);
    throw new CairnError("not_found", `There is no login at ${params.server}.`);
  });

  endpoint(app, api.fillPrompt, async (context, { params, body }, answer) => {
    const server = agentsFor(context).mcpServer(params.server);
    const { text, files } = await server.prompt(
      ownerOf(context),
      params.prompt,
      body.arguments,
      context.req.raw.signal,
    );
    return answer(200, { text, files: [...files] });
  });
}

/**
 * The origin at which the user's browser reaches this server. Its scheme comes from the `Origin` header of the page,
 * because TLS may end at a proxy. The host must be this server's, so that no page can send the user to another site.
 */
function originOf(context: ServerContext): string {
  const own = new URL(context.req.url);
  const host = context.req.header("host") ?? own.host;
  const page = context.req.header("origin") ?? "";
  return isOriginOf(page, host) ? page : `${own.protocol}//${host}`;
}
