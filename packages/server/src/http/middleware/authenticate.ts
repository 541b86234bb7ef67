/** Authenticates callers and rejects those without access. */
import { scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { LOCAL_SCOPE } from "cairn-agent/process";
import type { MiddlewareHandler } from "hono";
import type { Caller } from "../../auth/caller.ts";
import { isLocalHost, isOwnOrigin } from "../../auth/loopback.ts";
import { Oidc } from "../../auth/oidc.ts";
import type { ServerEnvironment } from "../environment.ts";

export interface KnownTokens {
  find(token: string): Caller | null | Promise<Caller | null>;
}

export interface AccessRules {
  /** Null for none. A server with neither kind of tokens listens on loopback only. */
  readonly tokens: KnownTokens | null;
  readonly oidc: Oidc | null;
  readonly origins: readonly string[];
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

/** For everything under `/api` and other endpoints that are not public. */
export function authenticate({ tokens, oidc, origins }: AccessRules): MiddlewareHandler<ServerEnvironment> {
  const isOpen = tokens === null && oidc === null;
  return async (context, next) => {
    const header = (name: string) => context.req.header(name);
    const from = { origin: header("origin"), host: header("host"), site: header("sec-fetch-site") };
    if (isOpen && !isLocalHost(from.host))
      throw new CairnError(
        "forbidden",
        "This server accepts only requests addressed to a local host name, such as 127.0.0.1 or localhost.",
      );
    if (!isOwnOrigin(from, origins))
      throw new CairnError(
        "forbidden",
        "This server rejects requests from other sites' pages. Add the site to CAIRN_ORIGINS to allow it.",
      );
    const caller = isOpen ? AT_THE_MACHINE : await callerOf(header("authorization") ?? "");
    context.set("caller", caller);
    context.set("scope", caller.scope);
    context.set("isAllowed", () => isStill(caller, header("authorization") ?? ""));
    return next();
  };

  /** Whether the token still gives access to the same scope. If the issuer does not answer, access continues. */
  async function isStill({ scope }: Caller, authorization: string): Promise<boolean> {
    try {
      return isOpen || scopeKey((await callerOf(authorization)).scope) === scopeKey(scope);
    } catch (error) {
      return CairnError.is(error) && error.code === "issuer_unreachable";
    }
  }

  async function callerOf(authorization: string): Promise<Caller> {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? [];
    if (token !== undefined && token.length <= MAX_TOKEN_LENGTH) {
      if (oidc !== null && Oidc.hasForm(token)) return oidc.check(token);
      const known = (await tokens?.find(token)) ?? null;
      if (known !== null) return known;
    }
    throw new CairnError(
      "unauthorized",
      "The token is missing or unknown. Send a known token in the header Authorization: Bearer <token>.",
    );
  }
}
