/**
 * The tokens of one connection. The client asks for a token before every request and reports when the server rejects
 * it. An expired token is refreshed. A person must log in when there is no token, when a token cannot be refreshed, or
 * when the server asks for more scopes.
 */
import { CairnError } from "@cairn/timeline";
import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { KeptLogin, Login } from "./kept-login.ts";
import { loginFetch } from "./login-fetch.ts";
import { messageOf } from "./mcp-error.ts";

/** Errors after which the tokens are useless. After any other, such as an overloaded server, they are kept. */
const ENDED: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

export class LoginSession implements AuthProvider {
  readonly #server: string;
  readonly #url: string;
  /** The stored login; null for a connection that belongs to no user. */
  readonly #kept: KeptLogin | null;
  #given: string | undefined;
  #refreshing: Promise<void> | null = null;
  /** The login that the server demanded when it last rejected a request. */
  demanded: { readonly scope?: string; readonly resourceMetadataUrl?: URL } = {};

  constructor(server: string, url: string, kept: KeptLogin | null) {
    this.#server = server;
    this.#url = url;
    this.#kept = kept;
  }

  async token(): Promise<string | undefined> {
    const { tokens } = await this.#login();
    this.#given = tokens?.access_token;
    return this.#given;
  }

  /** Called by the client for status 401; it repeats the request when this returns. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.demanded = {
      ...(scope === undefined ? {} : { scope }),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    };
    const { tokens } = await this.#login();
    // Another request or process has refreshed the token in the meantime.
    if (tokens !== undefined && tokens.access_token !== this.#given) return;
    if (tokens?.refresh_token === undefined) throw this.required();
    this.#refreshing ??= this.#refresh(tokens.refresh_token).finally(() => {
      this.#refreshing = null;
    });
    await this.#refreshing;
  }

  /** Stores the scopes, so that the next login requests them. */
  async demandScope(scope: string | undefined): Promise<void> {
    if (scope === undefined) return;
    this.demanded = { ...this.demanded, scope };
    await this.#kept?.update((login) => {
      const wanted = computeScopeUnion(login.wanted, scope);
      return wanted === undefined ? null : { ...login, wanted };
    });
  }

  required(scope?: string): CairnError {
    const needs = scope === undefined ? "requires a login" : `requires a login with the scope ${scope}`;
    return new CairnError(
      "mcp_login_required",
      `The MCP server ${this.#server} ${needs}. The user logs in with "MCP servers" in the app, or with: cairn mcp login ${this.#server}`,
      { server: this.#server },
    );
  }

  async #login(): Promise<Login> {
    return (await this.#kept?.read()) ?? {};
  }

  async #refresh(refreshToken: string): Promise<void> {
    const { client, discovery } = await this.#login();
    if (this.#kept === null || client === undefined || discovery === undefined) throw this.required();
    const metadata = discovery.authorizationServerMetadata;
    const resource = discovery.resourceMetadata?.resource;
    let tokens: StoredOAuthTokens;
    try {
      tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
        clientInformation: client,
        refreshToken,
        fetchFn: loginFetch(this.#url),
        ...(metadata === undefined ? {} : { metadata }),
        ...(resource === undefined ? {} : { resource }),
      });
    } catch (error) {
      if (CairnError.is(error)) throw error;
      if (!(error instanceof OAuthError && ENDED.has(error.code))) throw this.#unavailable(error);
      if (await this.#end(this.#kept, refreshToken)) throw this.required();
      return;
    }
    await this.#kept.update((now) => {
      const old = now.tokens;
      // The user has logged in again, or another process has already used the refresh token.
      if (old === undefined || old.refresh_token !== refreshToken) return null;
      const scope = tokens.scope ?? old.scope;
      const { issuer } = old;
      return {
        ...now,
        tokens: { ...tokens, ...(scope === undefined ? {} : { scope }), ...(issuer === undefined ? {} : { issuer }) },
      };
    });
  }

  /** Deletes the tokens. False if another process has already used the refresh token and stored its successor. */
  async #end(kept: KeptLogin, refreshToken: string): Promise<boolean> {
    let isEnded = true;
    await kept.update(({ tokens, ...rest }) => {
      isEnded = tokens === undefined || tokens.refresh_token === refreshToken;
      return isEnded ? rest : null;
    });
    return isEnded;
  }

  #unavailable(error: unknown): CairnError {
    return new CairnError(
      "mcp_unavailable",
      `The login at the MCP server ${this.#server} could not be refreshed: ${messageOf(error)}`,
      { server: this.#server },
    );
  }
}
