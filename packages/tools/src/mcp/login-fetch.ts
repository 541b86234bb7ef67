/**
 * `fetch` for the requests of a login: metadata, registration and tokens. A server names the addresses of its
 * authorization server, so they must use TLS, unless the MCP server itself runs on this machine. Answers are small.
 */
import { CairnError } from "@cairn/timeline";
import { boundedFetch } from "./bounded-fetch.ts";

const MAX_BYTES = 1024 * 1024;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** `server`: the address of the MCP server. */
export function loginFetch(server: string): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const fetchBounded = boundedFetch(MAX_BYTES);
  const isLocal = isLoopback(new URL(server));
  return async (url, init) => {
    const to = new URL(url);
    const isOwn = to.origin === new URL(server).origin;
    if (to.protocol !== "https:" && !isOwn && !(isLocal && isLoopback(to)))
      throw new CairnError(
        "mcp_login_failed",
        `The address ${to.origin} of the authorization server does not use TLS.`,
      );
    return await fetchBounded(to, init);
  };
}

function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
