/** Security headers of every response. */

/**
 * The policy for the app's own pages. Scripts and styles are files of this server, and components set style attributes.
 * Pictures and documents have `blob:` URLs, because the app fetches them with a token.
 */
const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const COMMON: Readonly<Record<string, string>> = {
  "content-security-policy": APP_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Keeps a header that an endpoint has set. */
export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(COMMON)) if (!headers.has(name)) headers.set(name, value);
}
