/**
 * A server without tokens serves only the local user. It listens on loopback addresses only and rejects requests that
 * were not meant for them: a page of another site can make a browser send requests here, under its own host name (DNS
 * rebinding) or across sites. Both are detected by the headers that the browser adds.
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

/** Whether a request comes from a page of this server, from an allowed origin, or not from a page at all. */
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
