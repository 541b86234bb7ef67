/** The links that a document keeps: to the web, to mail addresses and to its own headings. Other links become text. */
export type LinkTarget = { readonly url: string } | { readonly anchor: string };

export function linkTarget(href: string, anchors: ReadonlySet<string>): LinkTarget | null {
  if (href.startsWith("#")) {
    const anchor = decoded(href.slice(1));
    return anchors.has(anchor) ? { anchor } : null;
  }
  const url = URL.parse(href.trim());
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? { url: url.href } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone percent sign is taken literally.
  }
}
