/**
 * The states of calls that ask a person. Between the question and the answer, the client keeps the state. A state is
 * signed for its user, so that a changed state, or a state of another user, is rejected before any tool reads it.
 */
import { type Scope, scopeKey } from "@cairn/store";
import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";

/** Lifetime of a state: a person may answer days later. */
const LIFETIME_SECONDS = 30 * 24 * 3_600;

export class RequestStates {
  readonly #findKey: () => Promise<Uint8Array>;
  readonly #owner: Scope;

  constructor(findKey: () => Promise<Uint8Array>, owner: Scope) {
    this.#findKey = findKey;
    this.#owner = owner;
  }

  /** Makes a value for `requestState` of `inputRequired`. The tool reads it with `mcpReq.requestState()`. */
  async seal(state: string, context: ServerContext): Promise<string> {
    return await (await this.#codec()).mint(state, context);
  }

  /** Throws if the state was not sealed for this user and this method. */
  async open(sealed: string, context: ServerContext): Promise<string> {
    return await (await this.#codec()).verify(sealed, context);
  }

  async #codec(): Promise<RequestStateCodec<string>> {
    return createRequestStateCodec<string>({
      key: await this.#findKey(),
      ttlSeconds: LIFETIME_SECONDS,
      bind: ({ mcpReq }) => `${scopeKey(this.#owner)}\n${mcpReq.method}`,
    });
  }
}
