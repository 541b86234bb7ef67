/**
 * The fields of a source that name an MCP server and a resource there. Reading such a source reads the resource with
 * the login of the user, so only a row that the server itself returned may have them.
 */
import { isJsonObject, type Json } from "../base/json.ts";

export const LINK_SERVER = "mcp_server";
export const LINK_URI = "mcp_uri";

/** The row without the fields that name a resource. Any other row is returned unchanged. */
export function withoutLink(row: Json): Json {
  if (!isJsonObject(row)) return row;
  const entries = Object.entries(row);
  const kept = entries.filter(([field]) => field !== LINK_SERVER && field !== LINK_URI);
  return kept.length === entries.length ? row : Object.fromEntries(kept);
}
