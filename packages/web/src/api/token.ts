/** The access token of a server that is not local: stored in this browser, and never part of an address. */
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
    // Storage is disabled, so the token lasts as long as the page.
  }
}

let refused: () => void = () => undefined;

/** Called when the server rejects the token or requires one. This may happen later, when the token was revoked. */
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
    return null; // Storage is disabled, so the user is asked again after a reload.
  }
}
