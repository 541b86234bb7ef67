/**
 * Decides when two rows are the same source: the same file, or the same URL without the parts that do not change the
 * page (case of scheme and host, default port, fragment, tracking parameters, one trailing slash).
 *
 * The query that remains is kept in order, byte for byte as the URL parser returns it; parameter names are compared
 * without case and never decoded. User names and `www.` are part of the identity.
 */
import type { JsonObject } from "../base/json.ts";
import { textField } from "./row.ts";

/** The identity of a row; null for a row with neither file nor URL, which is always new. */
export function sourceIdentity(row: JsonObject): string | null {
  const physical = textField(row, "physical_path");
  if (physical !== undefined) return `local:${physical}`;
  const url = textField(row, "url");
  if (url === undefined) return null;
  const normalised = normaliseUrl(url);
  // A URL with the scheme `local:` must not get the identity of a file, which begins with `local:` too.
  return normalised.startsWith("local:") ? `url:${normalised}` : normalised;
}

/** The URL without the parts that do not change the page; a URL that cannot be parsed is returned unchanged. */
export function normaliseUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const { protocol, host, username, password, pathname } = parsed;
  const query = withoutTracking(parsed.search);
  const path =
    pathname.length > 1 && pathname.startsWith("/") && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  if (!parsed.href.startsWith(`${protocol}//`)) return `${protocol}${path}${query}`;
  const user = username === "" && password === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
  return `${protocol}//${user}${host.toLowerCase()}${path}${query}`;
}

function withoutTracking(search: string): string {
  if (search.length < 2) return "";
  const kept = search
    .slice(1)
    .split("&")
    .filter((parameter) => !isTracking(parameter))
    .join("&");
  return kept === "" ? "" : `?${kept}`;
}

function isTracking(parameter: string): boolean {
  const equals = parameter.indexOf("=");
  const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
  return name.startsWith("utm_") || name === "gclid" || name === "fbclid";
}
