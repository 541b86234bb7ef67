/** Checks a URL before any connection: HTTP, no credentials, a web port. Names are checked when they resolve. */
import { CairnError } from "@cairn/timeline";
import { refusedRange } from "./address-rules.ts";
import { type AllowList, portOf } from "./allow-list.ts";

const MAX_URL_LENGTH = 8_000;
/** Below this port only the web's own are allowed: services at other ports could misread an HTTP request. */
const FIRST_FREE_PORT = 1_024;

/** The parsed URL. Throws `bad_url` for a URL that cannot be fetched, `refused_target` for one that must not be. */
export function checkUrl(given: string, isAllowed: AllowList): URL {
  if (given.length > MAX_URL_LENGTH) throw badUrl(given, `it is longer than ${MAX_URL_LENGTH} characters`);
  const url = URL.parse(given.trim());
  if (url === null) throw badUrl(given, "it is not an absolute URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw badUrl(given, `its scheme is ${url.protocol}; only http: and https: are supported`);
  if (url.username !== "" || url.password !== "")
    throw badUrl(withoutCredentials(url), "it carries a user name or a password. Leave them out");
  if (url.hostname === "") throw badUrl(given, "it has no host");
  url.hash = "";
  if (isAllowed(url)) return url;
  const port = portOf(url);
  if (port !== 80 && port !== 443 && port < FIRST_FREE_PORT) throw refusedTarget(url.hostname, `port ${port}`);
  const address = literalOf(url);
  const range = address === null ? null : refusedRange(address);
  if (range !== null) throw refusedTarget(url.hostname, range);
  return url;
}

/** The literal address in a URL; null for a name. */
function literalOf({ hostname }: URL): string | null {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null;
}

export function refusedTarget(host: string, reason: string): CairnError {
  return new CairnError(
    "refused_target",
    `${host} is not fetched (${reason}): only public addresses are. The operator can allow it with CAIRN_FETCH_ALLOW.`,
    { host, reason },
  );
}

function badUrl(url: string, problem: string): CairnError {
  const shown = url.slice(0, 300);
  return new CairnError("bad_url", `${JSON.stringify(shown)} cannot be fetched: ${problem}.`, { url: shown });
}

function withoutCredentials(url: URL): string {
  return `${url.protocol}//…@${url.host}${url.pathname}`;
}
