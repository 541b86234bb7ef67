/**
 * The token by which a server that others can reach knows its user. Kept in this browser, sent with every request, and
 * never put into an address. A server on the user's own machine asks for none.
 */
const KEY = "cairn.token";
let token: string | null = read();

export function hasToken(): boolean {
  return token !== null;
}

export function setToken(value: string | null): void {
  token = value;
  try {
    if (value === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
  } catch {
    // Storage is switched off: the token lasts as long as the page.
  }
}

let refused: () => void = () => undefined;

/** Calls when the server does not know the token, or wants one: also in the middle, when it was withdrawn. */
export function onTokenRefused(listener: () => void): void {
  refused = listener;
}

export function tellTokenRefused(): void {
  refused();
}

export function authHeaders(): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage is switched off: the user is asked again.
  }
}
