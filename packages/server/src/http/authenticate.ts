/** Authenticates callers and rejects those without access. */
import { scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Context } from "hono";
import type { FindCaller } from "../auth/find-caller.ts";
import { isLocalHost, isOwnOrigin } from "../auth/loopback.ts";
import type { ServerEnvironment } from "./environment.ts";

export interface AccessRules {
  readonly findCaller: FindCaller;
  /** Whether everybody who reaches the server has access, so that it must be addressed by a local name. */
  readonly isOpen: boolean;
  /** Sites whose pages may send requests, besides the server's own. */
  readonly origins: readonly string[];
}

/**
 * For everything under `/api` and other endpoints that are not public. A browser sends cookies along with the requests
 * of any page, so requests from pages of other sites are rejected by their `Origin` or `Sec-Fetch-Site` header before
 * the caller is looked for.
 */
export function authenticate({ findCaller, isOpen, origins }: AccessRules) {
  return async (context: Context<ServerEnvironment>): Promise<void> => {
    const header = (name: string) => context.req.header(name);
    // Some platforms do not pass the Host header on; then the URL names the host.
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

    /** Whether the caller still has access to the same scope. If the issuer does not answer, access continues. */
    async function isStill(scope: string): Promise<boolean> {
      try {
        return isOpen || scopeKey((await find()).scope) === scope;
      } catch (error) {
        return CairnError.is(error) && error.code === "issuer_unreachable";
      }
    }
  };
}
