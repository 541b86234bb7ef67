/**
 * Where a link or picture of untrusted text may lead. Everything that is not on this list is shown as text: scripts,
 * data, files of the machine, and addresses that only look like one of ours.
 */
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
    return null; // No address at all.
  }
}

/** A picture that may be drawn: one of the conversation's files, or bytes of a kind that cannot act. */
export type SafeImage =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "data"; readonly src: string };

export function safeImage(href: string): SafeImage | null {
  const address = href.trim();
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i.test(address)) return { kind: "data", src: address };
  if (/^fi:[^\s]/.test(address)) return { kind: "file", path: address };
  return null;
}
