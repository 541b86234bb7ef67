/**
 * The hosts that pages may be fetched from, if an operator configures any: `host` or `host:port`, and `*.example.com`
 * for every name below `example.com`. The list applies to redirects as well. Without a list, every public host is
 * allowed.
 */
import { CairnError } from "@cairn/timeline";
import { type AllowList, parseAllowList } from "./allow-list.ts";

export function parseEgress(entries: string | readonly string[]): AllowList {
  const list = (typeof entries === "string" ? entries.split(",") : entries).map((entry) => entry.trim());
  const named = list.filter((entry) => entry !== "");
  if (named.length === 0) return () => true;
  const below = named.filter((entry) => entry.startsWith("*.")).map((entry) => `.${hostOf(entry.slice(2))}`);
  const isListed = parseAllowList(named.filter((entry) => !entry.startsWith("*.")));
  return (url) => isListed(url) || below.some((suffix) => url.hostname.replace(/\.$/, "").endsWith(suffix));
}

/** The host as a URL writes it, with brackets around IPv6 addresses. */
function hostOf(name: string): string {
  const url = /[\s/?#@\\:*]/.test(name) ? null : URL.parse(`http://${name}/`);
  if (url === null || url.hostname === "")
    throw new CairnError("bad_allow_list", `${JSON.stringify(name.slice(0, 200))} is not a valid host name.`);
  return url.hostname.replace(/\.$/, "");
}

export function unreachable({ host }: URL): CairnError {
  return new CairnError(
    "refused_target",
    `${host} is not fetched: it is not on the operator's list of hosts (CAIRN_FETCH_ONLY).`,
    { host },
  );
}
