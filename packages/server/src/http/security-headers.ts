/** Security headers of every response. */

/**
 * For the app's own pages: scripts and styles are files of this server; components set style attributes. Pictures and
 * documents of conversations are shown from memory (`blob:`), because they are fetched with a token.
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

/** A header that an endpoint sets is kept. */
export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(COMMON)) if (!headers.has(name)) headers.set(name, value);
}
