/** Headers of a frame with an opaque origin. Only one script runs in it, and it can send no requests or forms. */
export function frameHeaders(
  /** The script, as a content security policy names it. */
  script: string,
  { fonts = false, cacheControl }: { readonly fonts?: boolean; readonly cacheControl: "no-cache" | "no-store" },
): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src '${script}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    ...(fonts ? ["font-src data:"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "x-frame-options": "SAMEORIGIN",
    "x-dns-prefetch-control": "off",
    "cache-control": cacheControl,
  };
}
