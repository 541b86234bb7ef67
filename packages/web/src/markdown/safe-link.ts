/** Allowed targets for links and pictures in untrusted text. Everything else is shown as text. */
export type SafeLink =
  | { readonly kind: "web"; readonly href: string }
  /** A logical path of this conversation. */
  | { readonly kind: "file"; readonly path: string };

export function safeLink(href: string): SafeLink | null {
  const address = href.trim();
  if (/^fi:[^\s]/.test(address)) return { kind: "file", path: address };
  if (!/^(?:https?|mailto):/i.test(address)) return null;
  try {
    const url = new URL(address);
    const isKnown = url.protocol === "http:" || url.protocol === "https:" || url.protocol === "mailto:";
    return isKnown ? { kind: "web", href: url.href } : null;
  } catch {
    return null; // The text is not an address.
  }
}

/** A picture that may be shown: a file of the conversation, or bytes of a type that cannot execute. */
export type SafeImage =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "data"; readonly src: string };

export function safeImage(href: string): SafeImage | null {
  const address = href.trim();
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i.test(address)) return { kind: "data", src: address };
  if (/^fi:[^\s]/.test(address)) return { kind: "file", path: address };
  return null;
}
