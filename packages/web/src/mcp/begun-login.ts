/**
 * The login at an MCP server that this tab has begun. The answer to another login is rejected, because otherwise a page
 * of another site could log in the user with an attacker's account.
 */
const KEY = "cairn.mcp-login";

interface BegunLogin {
  readonly server: string;
  /** The address of the page to return to. */
  readonly from: string;
}

/** `address`: the login page. The answer repeats the `state` in this address. */
export function keepLogin(address: string, login: BegunLogin): void {
  const state = new URL(address).searchParams.get("state") ?? "";
  sessionStorage.setItem(KEY, JSON.stringify({ ...login, state }));
}

/** The login to which an answer belongs; null if this tab has not begun it. An answer is taken once. */
export function takeLogin(answer: URLSearchParams): BegunLogin | null {
  const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (typeof kept !== "object" || kept === null) return null;
  const { server, from, state } = kept as Readonly<Record<string, unknown>>;
  if (typeof server !== "string" || typeof from !== "string" || state !== answer.get("state")) return null;
  sessionStorage.removeItem(KEY);
  return { server, from };
}

/** Whether an address may be opened as a login page. */
export function isLoginAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "");
}
