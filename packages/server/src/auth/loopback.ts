/**
 * A server without tokens serves only the local user. It listens on loopback addresses only. A page of another site can
 * make a browser send requests to it, with the page's own host name (DNS rebinding) or across sites. The server detects
 * both by headers that the browser adds, and rejects the requests.
 */
const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether the `Host` header names this machine. */
export function isLocalHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  return LOOPBACK_NAMES.has(new URL(`http://${host}`).hostname);
}

/** Whether a request comes from a page of this server, from a page of an allowed origin, or from no page. */
export function isOwnOrigin(
  headers: Readonly<Record<"origin" | "host" | "site", string | undefined>>,
  allowed: readonly string[],
): boolean {
  const { origin, host, site } = headers;
  if (origin !== undefined) return allowed.includes(origin) || (host !== undefined && isOriginOf(origin, host));
  return site === undefined || site === "same-origin" || site === "none";
}

export function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
