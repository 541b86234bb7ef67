/**
 * An MCP server that requires a login, and the authorization server that grants the login (`oidc-provider`): dynamic
 * registration, PKCE, rotating refresh tokens, tokens for this server only. Whoever opens the login page is logged in
 * as `nextAccount` and agrees. The tools of the MCP server say who the caller is, and end the caller's access token or
 * the whole grant. The server also has a prompt.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type AuthInfo, createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Provider } from "oidc-provider";
import { z } from "zod";

const SCOPE = "tools:use";

export class ProtectedServer implements AsyncDisposable {
  /** The account with which the next person logs in. */
  nextAccount = "nobody";
  /** Number of times that a token was refreshed. */
  refreshes = 0;
  readonly #servers: Server[] = [];
  #provider: Provider | null = null;
  #issuer = "";
  #url = "";

  static async open(): Promise<ProtectedServer> {
    const server = new ProtectedServer();
    server.#issuer = await server.#listen((...exchange) => server.#authorize(...exchange));
    server.#url = `${await server.#listen(getRequestListener((request) => server.#answer(request)))}/mcp`;
    server.#provider = server.#makeProvider();
    return server;
  }

  get url(): string {
    return this.#url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }

  get #theProvider(): Provider {
    if (this.#provider === null) throw new Error("The authorization server is not open.");
    return this.#provider;
  }

  async #listen(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
    const server = createServer((request, response) => void answer(request, response));
    this.#servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  #makeProvider(): Provider {
    const provider = new Provider(this.#issuer, {
      scopes: ["openid", "offline_access", SCOPE],
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      clientDefaults: { grant_types: ["authorization_code", "refresh_token"] },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, resource) => ({ audience: resource, scope: SCOPE, accessTokenFormat: "opaque" }),
        },
      },
    });
    provider.on("refresh_token.consumed", () => {
      this.refreshes++;
    });
    return provider;
  }

  async #authorize(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#theProvider;
    if (request.url?.startsWith("/interaction/") !== true) {
      provider.callback()(request, response);
      return;
    }
    const { params, prompt, session } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      await provider.interactionFinished(request, response, { login: { accountId: this.nextAccount } });
      return;
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params.client_id) });
    grant.addResourceScope(this.#url, SCOPE);
    grant.addOIDCScope(`openid offline_access ${SCOPE}`);
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, origin } = new URL(request.url);
    const metadata = "/.well-known/oauth-protected-resource/mcp";
    if (pathname === metadata)
      return Response.json({
        resource: this.#url,
        authorization_servers: [this.#issuer],
        scopes_supported: [SCOPE],
      });
    const given = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const token = given === "" ? undefined : await this.#theProvider.AccessToken.find(given);
    if (token === undefined || token.aud !== this.#url)
      return new Response(null, {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${origin}${metadata}"` },
      });
    const authInfo: AuthInfo = { token: given, clientId: token.clientId ?? "", scopes: [SCOPE] };
    return await createMcpHandler(() => this.#tools(given, token.accountId ?? "", token.grantId ?? "")).fetch(request, {
      authInfo,
    });
  }

  #tools(given: string, account: string, grant: string): McpServer {
    const { AccessToken, RefreshToken } = this.#theProvider;
    const server = new McpServer({ name: "protected", version: "1.0.0" });
    const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
    server.registerTool("whoami", { description: "Says who calls." }, () => text(`You are ${account}.`));
    server.registerTool("expire", { description: "Ends the access token." }, async () => {
      await (await AccessToken.find(given))?.destroy();
      return text("The token has ended.");
    });
    server.registerTool("revoke", { description: "Ends the grant." }, async () => {
      await AccessToken.revokeByGrantId(grant);
      await RefreshToken.revokeByGrantId(grant);
      return text("The grant has ended.");
    });
    const argsSchema = z.object({ to: z.string().describe("Whom to greet.") });
    server.registerPrompt("greeting", { description: "A greeting.", argsSchema }, ({ to }) => ({
      messages: [
        { role: "user", content: { type: "text", text: `Greet ${to} from ${account}.` } },
        { role: "user", content: { type: "image", data: "AAAA", mimeType: "image/png" } },
        { role: "assistant", content: { type: "text", text: "How warmly?" } },
      ],
    }));
    return server;
  }
}
