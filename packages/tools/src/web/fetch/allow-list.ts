/**
 * Hosts that may be fetched from, whatever their address: `host` or `host:port`, separated by commas, as in
 * `CAIRN_FETCH_ALLOW=wiki.intranet,127.0.0.1:8080,[::1]:9000`. A host without a port is allowed on every port. Names
 * are compared as a URL spells them, so an address matches in any of its spellings; there are no wildcards.
 */
import { CairnError } from "@cairn/timeline";

export type AllowList = (url: URL) => boolean;

/** Throws `bad_allow_list` for an invalid entry. */
export function parseAllowList(entries: string | readonly string[]): AllowList {
  const list = typeof entries === "string" ? entries.split(",") : entries;
  const allowed = new Set(
    list.map((entry) => entry.trim()).flatMap((entry) => (entry === "" ? [] : [readEntry(entry)])),
  );
  return (url) => {
    const host = withoutDot(url.hostname);
    return allowed.has(host) || allowed.has(`${host}:${portOf(url)}`);
  };
}

export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

function readEntry(entry: string): string {
  // Port 80 is dropped from an http URL and 443 from an https URL, so one of the two always shows the port.
  const port = isBareV6(entry) ? undefined : /:(\d{1,5})$/.exec(entry.replace(/^\[[^\]]*\]/, "x"))?.[1];
  const host = port === undefined ? entry : entry.slice(0, -port.length - 1);
  const url =
    /[\s/?#@\\]/.test(entry) || host === "" ? null : URL.parse(`http://${isBareV6(host) ? `[${host}]` : host}/`);
  if (url === null || url.port !== "" || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)))
    throw new CairnError(
      "bad_allow_list",
      `${JSON.stringify(entry.slice(0, 200))} is not a host. Write host or host:port, separated by commas.`,
      { entry: entry.slice(0, 200) },
    );
  return `${withoutDot(url.hostname)}${port === undefined ? "" : `:${Number(port)}`}`;
}

/** An IPv6 address without brackets: it has several colons, and no colon separates a port. */
function isBareV6(entry: string): boolean {
  return /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(entry);
}

function withoutDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
