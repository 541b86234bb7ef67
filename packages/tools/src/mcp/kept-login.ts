/**
 * The login of one user at one server: the client's registration, the tokens, and where they came from. The login is
 * kept as one encrypted value of the user. The login is bound to the address of the server, so that a changed
 * configuration never sends tokens to another address.
 */
import type { ToolContext } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { z } from "zod";

export type Owner = ToolContext["owner"];

/** Storage for encrypted values of users, by name. */
export interface Secrets {
  read(owner: Owner, name: string): Promise<string | null>;
  write(owner: Owner, name: string, value: string): Promise<void>;
  /** Changes an existing value in one transaction. Does nothing if the value does not exist. */
  update(owner: Owner, name: string, change: (value: string) => string): Promise<void>;
  /** Deletes a value. Returns whether the value existed. */
  delete(owner: Owner, name: string): Promise<boolean>;
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

/** Whether a stored value was encrypted with another key. */
export function isUnreadable(error: unknown): error is CairnError {
  return CairnError.is(error) && error.code === "secret_unreadable";
}

export class KeptLogin {
  readonly owner: Owner;
  readonly #secrets: Secrets;
  readonly #name: string;
  readonly #url: string;
  readonly #unreadable: "error" | "none";

  /**
   * `unreadable` says what happens to a login that was encrypted with another key: the error `secret_unreadable`, or no
   * login.
   */
  constructor(secrets: Secrets, owner: Owner, server: string, url: string, unreadable: "error" | "none" = "error") {
    this.#secrets = secrets;
    this.owner = owner;
    this.#name = `mcp:${server}`;
    this.#url = url;
    this.#unreadable = unreadable;
  }

  async read(): Promise<Login> {
    const text = await this.#unlessUnreadable(this.#secrets.read(this.owner, this.#name), null);
    if (text === null) return {};
    return this.#parse(text) ?? {};
  }

  async write(login: Login): Promise<void> {
    await this.#secrets.write(this.owner, this.#name, this.#format(login));
  }

  /** Changes the login, if there is one, in one transaction. `change` returns null to leave it as it is. */
  async update(change: (login: Login) => Login | null): Promise<void> {
    const updated = this.#secrets.update(this.owner, this.#name, (text) => {
      const login = this.#parse(text);
      const changed = login === null ? null : change(login);
      return changed === null ? text : this.#format(changed);
    });
    await this.#unlessUnreadable(updated, undefined);
  }

  /** Deletes the login, even if it cannot be read. Returns whether a login existed. */
  async delete(): Promise<boolean> {
    return await this.#secrets.delete(this.owner, this.#name);
  }

  async #unlessUnreadable<T>(work: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (this.#unreadable === "none" && isUnreadable(error)) return otherwise;
      throw error;
    }
  }

  /** Reads a stored login; null if it belongs to another address of the server. */
  #parse(text: string): Login | null {
    const { url, ...login } = loginSchema.parse(JSON.parse(text));
    return url === this.#url ? (login as Login) : null;
  }

  #format(login: Login): string {
    return JSON.stringify({ url: this.#url, ...login });
  }
}
