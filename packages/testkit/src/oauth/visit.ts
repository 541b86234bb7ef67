const MAX_REDIRECTS = 20;

/**
 * Opens an address as a browser does: keeps cookies and follows redirects. Returns the text of the last page or, if a
 * redirect leads to an address that begins with `last`, that address.
 */
export async function visit(address: string, last?: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) return await answer.text();
    url = new URL(location, url);
    if (last !== undefined && url.href.startsWith(last)) return url.href;
  }
  throw new Error(`${address} redirects more than ${MAX_REDIRECTS} times, last to ${url}.`);
}
