/**
 * `fetch` for the requests of a login: metadata, registration and tokens. An MCP server names the addresses of its
 * authorization server, so these must use TLS, unless the MCP server itself runs on this machine. The size of an answer
 * is limited.
 */
import { CairnError } from "@cairn/timeline";
import { boundedFetch } from "./bounded-fetch.ts";

const MAX_BYTES = 1024 * 1024;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** `server`: the address of the MCP server. */
export function loginFetch(server: string): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const fetchBounded = boundedFetch(MAX_BYTES);
  return async (url, init) => {
    const to = new URL(url);
    checkEncrypted(to, server);
    return await fetchBounded(to, init);
  };
}

/** Throws `mcp_login_failed` for an address that a user or a token must not be sent to. */
export function checkEncrypted(to: URL, server: string): void {
  const own = new URL(server);
  const isAllowed =
    to.protocol === "https:" || (to.protocol === "http:" && (to.origin === own.origin || areLocal(to, own)));
  if (!isAllowed)
    throw new CairnError("mcp_login_failed", `The address ${to.origin} of the authorization server does not use TLS.`);
}

function areLocal(...addresses: readonly URL[]): boolean {
  return addresses.every(isLoopback);
}

function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
