/**
 * The login of one user at one server: the client's registration, the tokens, and where they came from. It is kept as
 * one encrypted value of the user. It is bound to the address of the server, so that a changed configuration never sends
 * tokens elsewhere.
 */
import type { ToolContext } from "@cairn/agent";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { z } from "zod";

export type Owner = ToolContext["owner"];

/** Encrypted values of users, by name. */
export interface Secrets {
  read(owner: Owner, name: string): Promise<string | null>;
  /** Null deletes it. */
  write(owner: Owner, name: string, value: string | null): Promise<void>;
}

export interface Login {
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
  readonly discovery?: OAuthDiscoveryState;
  /** Scopes that the server asked for and that the tokens do not have. */
  readonly wanted?: string;
}

const loginSchema = z.object({
  url: z.string(),
  client: z.looseObject({ client_id: z.string() }).optional(),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).optional(),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
  wanted: z.string().optional(),
});

export class KeptLogin {
  readonly owner: Owner;
  readonly #secrets: Secrets;
  readonly #name: string;
  readonly #url: string;

  constructor(secrets: Secrets, owner: Owner, server: string, url: string) {
    this.#secrets = secrets;
    this.owner = owner;
    this.#name = `mcp:${server}`;
    this.#url = url;
  }

  async read(): Promise<Login> {
    const text = await this.#secrets.read(this.owner, this.#name);
    if (text === null) return {};
    const { url, ...login } = loginSchema.parse(JSON.parse(text));
    return url === this.#url ? (login as Login) : {};
  }

  async write(login: Login): Promise<void> {
    await this.#secrets.write(this.owner, this.#name, JSON.stringify({ url: this.#url, ...login }));
  }

  /** Returns whether there was one. */
  async delete(): Promise<boolean> {
    const text = await this.#secrets.read(this.owner, this.#name);
    if (text !== null) await this.#secrets.write(this.owner, this.#name, null);
    return text !== null;
  }
}
