/**
 * A login that a person makes in a browser, at a server with several processes: the redirect may reach another process
 * than the one that began the login. Until the login is finished, its data is stored as an encrypted value of the user,
 * so only the user who began it can finish it. A login can be finished once, within ten minutes.
 */
import { CairnError } from "@cairn/timeline";
import { z } from "zod";
import { isUnreadable, KeptLogin } from "./kept-login.ts";
import type { HttpConfig } from "./mcp-config.ts";
import { type BegunLogin, beginLogin, type LoginOptions, McpLogin } from "./mcp-login.ts";

const LIFETIME_MS = 10 * 60_000;

const begunSchema = z.looseObject({
  until: z.number(),
  url: z.string(),
  redirectUrl: z.string(),
  state: z.string(),
  verifier: z.string(),
});

/** The address of the login page; null when the server requires no login. A login that began earlier is replaced. */
export async function beginInApp(server: string, config: HttpConfig, options: LoginOptions): Promise<string | null> {
  const login = await beginLogin(server, config, options);
  if (login === null) return null;
  const kept = { ...login.begun, until: Date.now() + LIFETIME_MS };
  await options.secrets.write(options.owner, nameOf(server), JSON.stringify(kept));
  return login.address;
}

/** `parameters`: the query of the redirect. */
export async function finishInApp(
  server: string,
  config: HttpConfig,
  { secrets, owner }: Pick<LoginOptions, "secrets" | "owner">,
  parameters: URLSearchParams,
): Promise<void> {
  const kept = await secrets.read(owner, nameOf(server)).catch(unlessUnreadable);
  const begun = kept === null ? null : begunSchema.parse(JSON.parse(kept));
  // A redirect that does not belong to the login that has begun does not end that login.
  if (begun === null || begun.url !== config.url || begun.state !== parameters.get("state"))
    throw failure(server, "the answer belongs to no login that you have begun. Begin it again.");
  const isFirst = await secrets.delete(owner, nameOf(server));
  if (!isFirst || begun.until < Date.now()) throw failure(server, "it took too long. Begin it again.");
  const login = new KeptLogin(secrets, owner, server, config.url, "none");
  await McpLogin.resume(server, config, login, begun as unknown as BegunLogin).finish(parameters);
}

function unlessUnreadable(error: unknown): null {
  if (isUnreadable(error)) return null;
  throw error;
}

function nameOf(server: string): string {
  return `mcp-login:${server}`;
}

function failure(server: string, problem: string): CairnError {
  return new CairnError("mcp_login_failed", `The login at the MCP server ${server} failed: ${problem}`, { server });
}
