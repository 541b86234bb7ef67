/** The callers of a server: holders of tokens, or, without tokens, the person at the machine. */
import { CairnError } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import type { Caller } from "./caller.ts";
import type { FindCaller } from "./find-caller.ts";
import { Oidc } from "./oidc.ts";

export interface KnownTokens {
  find(token: string): Caller | null | Promise<Caller | null>;
}

/** Maximum length of a token. Signed tokens contain claims; this is more than any issuer uses. */
const MAX_TOKEN_LENGTH = 8_192;

const AT_THE_MACHINE: Caller = {
  scope: LOCAL_SCOPE,
  via: "machine",
  subject: LOCAL_SCOPE.user,
  credential: null,
  isOperator: true,
  mayInspect: true,
};

export const atTheMachine: FindCaller = async () => AT_THE_MACHINE;

/** Finds callers by their tokens. A list or issuer is null if the server does not accept this kind of token. */
export function tokenCallers(tokens: KnownTokens | null, oidc: Oidc | null): FindCaller {
  return async ({ headers }) => {
    const [, token] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (token !== undefined && token.length <= MAX_TOKEN_LENGTH) {
      if (oidc !== null && Oidc.hasForm(token)) return oidc.check(token);
      const known = (await tokens?.find(token)) ?? null;
      if (known !== null) return known;
    }
    throw new CairnError(
      "unauthorized",
      "The token is missing or unknown. Send a known token in the header Authorization: Bearer <token>.",
    );
  };
}
