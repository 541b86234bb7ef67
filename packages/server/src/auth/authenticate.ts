/** Finds out who calls, and turns away who may not. */
import { CairnError } from "@cairn/timeline";
import type { MiddlewareHandler } from "hono";
import { LOCAL_SCOPE } from "../config/local-data.ts";
import type { ServerEnvironment } from "../http/environment.ts";
import { isLocalHost, isOwnOrigin } from "./loopback.ts";
import type { Tokens } from "./tokens.ts";

export interface AccessRules {
  /** Null for a server without tokens, which listens on loopback only. */
  readonly tokens: Tokens | null;
  readonly origins: readonly string[];
}

/** For everything under `/api` and what else is not for everybody. */
export function authenticate({ tokens, origins }: AccessRules): MiddlewareHandler<ServerEnvironment> {
  return async (context, next) => {
    const header = (name: string) => context.req.header(name);
    const from = { origin: header("origin"), host: header("host"), site: header("sec-fetch-site") };
    if (tokens === null && !isLocalHost(from.host))
      throw new CairnError("forbidden", "This server answers to the names of this machine only.");
    if (!isOwnOrigin(from, origins))
      throw new CairnError(
        "forbidden",
        "Pages of other sites may not call this server. CAIRN_ORIGINS names those that may.",
      );
    if (tokens === null) {
      context.set("scope", LOCAL_SCOPE);
      return next();
    }
    const [, token] = /^Bearer (\S{1,500})$/i.exec(header("authorization") ?? "") ?? [];
    const scope = token === undefined ? null : tokens.scopeOf(token);
    if (scope === null)
      throw new CairnError("unauthorized", "Send a token this server knows, as Authorization: Bearer.");
    context.set("scope", scope);
    return next();
  };
}
