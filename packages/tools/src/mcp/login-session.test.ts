/** Tests the refreshing of tokens at a token endpoint whose answers each test defines. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secretsInMemory } from "../../test/secrets-in-memory.ts";
import { KeptLogin, type Login } from "./kept-login.ts";
import { LoginSession } from "./login-session.ts";

const ADA = { tenant: "acme", project: "site", user: "ada" };
const REJECTED = { response: new Response(null, { status: 401 }) };
const NEW = { access_token: "a2", token_type: "Bearer", refresh_token: "r2" };

let server: Server;
let kept: KeptLogin;
let session: LoginSession;
let answer: { readonly status: number; readonly body: object | string };
/** Work of another process while the token endpoint prepares its answer. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  meanwhile = async () => undefined;
  server = createServer(async (request, response) => {
    request.resume();
    await meanwhile();
    const { status, body } = answer;
    const [type, text] = typeof body === "string" ? ["text/plain", body] : ["application/json", JSON.stringify(body)];
    response.writeHead(status, { "content-type": type }).end(text);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  kept = new KeptLogin(secretsInMemory(new Map()), ADA, "shop", `${origin}/mcp`);
  session = new LoginSession("shop", `${origin}/mcp`, kept);
  await kept.write({
    client: { client_id: "c" },
    tokens: { access_token: "a1", token_type: "Bearer", refresh_token: "r1", scope: "use" },
    discovery: {
      authorizationServerUrl: origin,
      authorizationServerMetadata: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ["code"],
      },
    },
  });
  await session.token();
});

afterEach(async () => {
  server.closeAllConnections();
  await once(server.close(), "close");
});

const refresh = () => session.onUnauthorized(REJECTED);
const tokensNow = async (): Promise<Login["tokens"]> => (await kept.read()).tokens;

describe("a refresh that fails", () => {
  it.each([
    [503, "overloaded"],
    [429, { error: "slow_down" }],
    [400, { error: "temporarily_unavailable" }],
    [500, { error: "server_error" }],
  ])("with %i %j keeps the tokens", async (status, body) => {
    answer = { status, body };
    await expect(refresh()).rejects.toMatchObject({ code: "mcp_unavailable" });
    expect(await tokensNow()).toMatchObject({ refresh_token: "r1" });
    answer = { status: 200, body: NEW };
    await refresh();
    expect(await session.token()).toBe("a2");
  });

  it.each(["invalid_grant", "invalid_client", "unauthorized_client"])(
    "with %s deletes the tokens and requires a login",
    async (error) => {
      answer = { status: 400, body: { error } };
      await expect(refresh()).rejects.toMatchObject({ code: "mcp_login_required" });
      expect(await tokensNow()).toBeUndefined();
    },
  );

  it("because another process refreshed first keeps the tokens of that process", async () => {
    answer = { status: 400, body: { error: "invalid_grant" } };
    meanwhile = () => kept.update((login) => ({ ...login, tokens: NEW }));
    await refresh();
    expect(await session.token()).toBe("a2");
  });
});

describe("a refresh that succeeds", () => {
  beforeEach(() => {
    answer = { status: 200, body: NEW };
  });

  it("keeps the scope of the login, and scopes that were demanded meanwhile", async () => {
    meanwhile = () => session.demandScope("write");
    await refresh();
    expect(await kept.read()).toMatchObject({ wanted: "write", tokens: { ...NEW, scope: "use" } });
  });

  it("does not bring back a login that was deleted meanwhile", async () => {
    meanwhile = () => kept.delete();
    await refresh();
    expect(await kept.read()).toEqual({});
    await session.demandScope("write");
    expect(await kept.read()).toEqual({});
    await expect(refresh()).rejects.toMatchObject({ code: "mcp_login_required" });
  });

  it("does not replace the tokens of a login that was made meanwhile", async () => {
    const other = { access_token: "b1", token_type: "Bearer", refresh_token: "s1" };
    meanwhile = () => kept.update((login) => ({ ...login, tokens: other }));
    await refresh();
    expect(await tokensNow()).toEqual(other);
  });
});
