/**
 * A login of a user at an MCP server, by OAuth 2.1 with PKCE. The caller sends the user to `address`, receives the
 * redirect, and passes its parameters to `finish`. Registration, tokens and the way they were found are kept only when
 * the login is complete.
 */
import { randomBytes } from "node:crypto";
import { CairnError } from "@cairn/timeline";
import {
  auth,
  computeScopeUnion,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { KeptLogin, type Login, type Owner, type Secrets } from "./kept-login.ts";
import { checkEncrypted, loginFetch } from "./login-fetch.ts";
import { LoginSession } from "./login-session.ts";
import type { HttpConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";
import { messageOf } from "./mcp-error.ts";

export interface LoginOptions {
  readonly secrets: Secrets;
  readonly owner: Owner;
  /** Where the authorization server sends the user back to. */
  readonly redirectUrl: string;
  readonly signal: AbortSignal;
}

type Demand = LoginSession["demanded"];

/** A login that has begun, so that another process can finish it. */
export interface BegunLogin {
  readonly url: string;
  readonly redirectUrl: string;
  readonly state: string;
  readonly verifier: string;
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: string | undefined;
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly discovery?: OAuthDiscoveryState | undefined;
}

/** Begins a login; null when the server already accepts the user. Throws `mcp_login_failed`. */
export async function beginLogin(server: string, config: HttpConfig, options: LoginOptions): Promise<McpLogin | null> {
  const kept = new KeptLogin(options.secrets, options.owner, server, config.url, "none");
  const demand = await findDemand(server, config, kept, options.signal);
  if (demand === null) return null;
  const login = new McpLogin(server, config, kept, options.redirectUrl);
  await login.start(demand);
  return login;
}

/** The login that the server demands; null when it lists tools without a login and no call demanded one. */
async function findDemand(
  server: string,
  config: HttpConfig,
  kept: KeptLogin,
  signal: AbortSignal,
): Promise<Demand | null> {
  const session = new LoginSession(server, config.url, kept);
  const connection = new McpConnection(server, config, { session });
  try {
    await connection.listTools(signal);
    const { wanted, tokens } = await kept.read();
    const scope = computeScopeUnion(tokens?.scope, wanted);
    return wanted === undefined || scope === undefined ? null : { ...session.demanded, scope };
  } catch (error) {
    if (!CairnError.is(error) || error.code !== "mcp_login_required") throw error;
    const { wanted, tokens } = await kept.read();
    const scope = computeScopeUnion(wanted === undefined ? undefined : tokens?.scope, wanted, session.demanded.scope);
    return { ...session.demanded, ...(scope === undefined ? {} : { scope }) };
  } finally {
    await connection.close();
  }
}

export class McpLogin {
  readonly #server: string;
  readonly #config: HttpConfig;
  readonly #kept: KeptLogin;
  readonly #redirectUrl: string;
  /** A random value by which the redirect of this login is recognised. */
  readonly state: string;
  #demand: Demand = {};
  #address: URL | null = null;
  #verifier = "";
  #client: StoredOAuthClientInformation | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #tokens: StoredOAuthTokens | undefined;

  constructor(server: string, config: HttpConfig, kept: KeptLogin, redirectUrl: string, state?: string) {
    this.#server = server;
    this.#config = config;
    this.#kept = kept;
    this.#redirectUrl = redirectUrl;
    this.state = state ?? randomBytes(24).toString("base64url");
  }

  /** Continues a login that another process may have begun. */
  static resume(server: string, config: HttpConfig, kept: KeptLogin, begun: BegunLogin): McpLogin {
    const login = new McpLogin(server, config, kept, begun.redirectUrl, begun.state);
    const { scope, resourceMetadataUrl: metadata } = begun;
    login.#demand = {
      ...(scope === undefined ? {} : { scope }),
      ...(metadata === undefined ? {} : { resourceMetadataUrl: new URL(metadata) }),
    };
    login.#verifier = begun.verifier;
    login.#client = begun.client;
    login.#discovery = begun.discovery;
    return login;
  }

  get begun(): BegunLogin {
    const { scope, resourceMetadataUrl } = this.#demand;
    return {
      url: this.#config.url,
      redirectUrl: this.#redirectUrl,
      state: this.state,
      verifier: this.#verifier,
      scope,
      resourceMetadataUrl: resourceMetadataUrl?.href,
      client: this.#client,
      discovery: this.#discovery,
    };
  }

  /** URL at which the user logs in. */
  get address(): string {
    if (this.#address === null) throw new Error("The login has not started.");
    return this.#address.href;
  }

  async start(demand: Demand): Promise<void> {
    this.#demand = demand;
    this.#client = this.#configuredClient() ?? (await this.#knownClient());
    await this.#authorize({ forceReauthorization: true });
    if (this.#address === null) throw this.#failure("the authorization server gave no address for the login.");
  }

  /** `parameters`: the query of the redirect. Keeps the tokens. */
  async finish(parameters: URLSearchParams): Promise<void> {
    const refusal = parameters.get("error_description") ?? parameters.get("error");
    if (parameters.get("state") !== this.state) throw this.#failure("the answer belongs to another login.");
    if (refusal !== null) throw this.#failure(messageOf(new Error(refusal)));
    const code = parameters.get("code");
    if (code === null) throw this.#failure("the answer has no code.");
    const iss = parameters.get("iss");
    await this.#authorize({ authorizationCode: code, ...(iss === null ? {} : { iss }) });
    await this.#keep();
  }

  async #authorize(
    step: { readonly forceReauthorization: true } | { readonly authorizationCode: string; readonly iss?: string },
  ): Promise<void> {
    const scope = this.#config.oauth?.scope ?? this.#demand.scope;
    try {
      await auth(this.#provider(), {
        serverUrl: this.#config.url,
        fetchFn: loginFetch(this.#config.url),
        ...(scope === undefined ? {} : { scope }),
        ...(this.#demand.resourceMetadataUrl === undefined
          ? {}
          : { resourceMetadataUrl: this.#demand.resourceMetadataUrl }),
        ...step,
      });
    } catch (error) {
      throw this.#failure(messageOf(error));
    }
  }

  async #keep(): Promise<void> {
    const scope = this.#tokens?.scope ?? this.#demand.scope;
    const login: Login = {
      ...(this.#client === undefined ? {} : { client: this.#client }),
      ...(this.#tokens === undefined ? {} : { tokens: { ...this.#tokens, ...(scope === undefined ? {} : { scope }) } }),
      ...(this.#discovery === undefined ? {} : { discovery: this.#discovery }),
    };
    await this.#kept.write(login);
  }

  /** The client that was registered before, if its redirect address is the same: a registration names this address. */
  async #knownClient(): Promise<StoredOAuthClientInformation | undefined> {
    const { client } = await this.#kept.read();
    const uris = client !== undefined && "redirect_uris" in client ? client.redirect_uris : undefined;
    return uris === undefined || uris.includes(this.#redirectUrl) ? client : undefined;
  }

  #configuredClient(): StoredOAuthClientInformation | undefined {
    const { client_id, client_secret, issuer } = this.#config.oauth ?? {};
    if (client_id === undefined) return undefined;
    return {
      client_id,
      ...(client_secret === undefined ? {} : { client_secret }),
      ...(issuer === undefined ? {} : { issuer }),
    };
  }

  #provider(): OAuthClientProvider {
    const metadata: OAuthClientMetadata = {
      client_name: "Cairn",
      redirect_uris: [this.#redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
    const clientMetadataUrl = this.#config.oauth?.client_metadata_url;
    return {
      redirectUrl: this.#redirectUrl,
      clientMetadata: metadata,
      ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
      state: () => this.state,
      clientInformation: () => this.#client,
      saveClientInformation: (client) => {
        this.#client = client;
      },
      tokens: () => this.#tokens,
      saveTokens: (tokens) => {
        this.#tokens = tokens;
      },
      redirectToAuthorization: (address) => {
        checkEncrypted(address, this.#config.url);
        this.#address = address;
      },
      saveCodeVerifier: (verifier) => {
        this.#verifier = verifier;
      },
      codeVerifier: () => this.#verifier,
      discoveryState: () => this.#discovery,
      saveDiscoveryState: (state) => {
        this.#discovery = state;
      },
    };
  }

  #failure(problem: string): CairnError {
    return new CairnError("mcp_login_failed", `The login at the MCP server ${this.#server} failed: ${problem}`, {
      server: this.#server,
    });
  }
}
