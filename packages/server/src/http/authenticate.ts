/** Authenticates callers and rejects callers without access. */
import { scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Context } from "hono";
import type { FindCaller } from "../auth/find-caller.ts";
import { isLocalHost, isOwnOrigin } from "../auth/loopback.ts";
import type { ServerEnvironment } from "./environment.ts";

export interface AccessRules {
  readonly findCaller: FindCaller;
  /** Whether everybody who can connect has access. Then requests must use a local host name. */
  readonly isOpen: boolean;
  /** Sites whose pages may send requests, besides the server's own. */
  readonly origins: readonly string[];
}

/**
 * Middleware for all endpoints that are not public. A browser sends cookies with requests of any page. So before the
 * caller is looked up, requests from pages of other sites are rejected by their `Origin` or `Sec-Fetch-Site` header.
 */
export function authenticate({ findCaller, isOpen, origins }: AccessRules) {
  return async (context: Context<ServerEnvironment>): Promise<void> => {
    const header = (name: string) => context.req.header(name);
    // Some platforms do not pass on the Host header. Then the host of the URL is used.
    const host = header("host") ?? new URL(context.req.url).host;
    const from = { origin: header("origin"), host, site: header("sec-fetch-site") };
    if (isOpen && !isLocalHost(header("host")))
      throw new CairnError(
        "forbidden",
        "This server accepts only requests addressed to a local host name, such as 127.0.0.1 or localhost.",
      );
    if (!isOwnOrigin(from, origins))
      throw new CairnError(
        "forbidden",
        "This server rejects requests from other sites' pages. Add the site to CAIRN_ORIGINS, or to `origins` of createHandler, to allow it.",
      );
    const find = () => findCaller(context.req.raw, context.env);
    const caller = await find();
    context.set("caller", caller);
    context.set("scope", caller.scope);
    context.set("isAllowed", () => isStill(scopeKey(caller.scope)));

    /** Whether the caller still has access to the same scope. Access continues if the issuer does not answer. */
    async function isStill(scope: string): Promise<boolean> {
      try {
        return isOpen || scopeKey((await find()).scope) === scope;
      } catch (error) {
        return CairnError.is(error) && error.code === "issuer_unreachable";
      }
    }
  };
}
