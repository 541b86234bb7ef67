/**
 * Removes elements and attributes from HTML that run scripts or send requests to other servers. The frame's policy
 * refuses these anyway, but no policy prevents early connections (`preconnect`).
 */
const LEFT_OUT =
  "script, link, meta[http-equiv], base, iframe, frame, object, embed, applet, portal, template, noscript";
const ADDRESSES = [
  "src",
  "srcset",
  "poster",
  "background",
  "data",
  "ping",
  "action",
  "formaction",
  "href",
  "xlink:href",
];

/** A browser may parse the cleaned HTML differently, so cleaning is repeated until nothing changes. */
const MAX_ROUNDS = 5;

/** HTML without parts that would send requests; null for HTML that changes each time that it is parsed. */
export function withoutRequests(html: string): string | null {
  let before = html;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const cleaned = cleanOnce(before);
    if (cleaned === before) return cleaned;
    before = cleaned;
  }
  return null;
}

function cleanOnce(html: string): string {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const element of parsed.querySelectorAll(LEFT_OUT)) element.remove();
  for (const element of parsed.querySelectorAll("*"))
    for (const { name, value } of [...element.attributes])
      if (name.startsWith("on") || (ADDRESSES.includes(name) && !/^\s*(?:#|data:image\/)/i.test(value)))
        element.removeAttribute(name);
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}
