/** A link that a tool returned, as a source of the conversation. */
import type { SourceInput } from "@cairn/timeline";
import type { ResourceLink } from "@modelcontextprotocol/client";

/** The fields of a source that name its server, and the resource there. */
export const LINK_SERVER = "mcp_server";
export const LINK_URI = "mcp_uri";

/** A page of the web is the same source for everyone. Any other address means something only to its server. */
export function linkRow({ uri, name, title, description, mimeType }: ResourceLink, server: string): SourceInput {
  return {
    source_type: "mcp",
    url: (/^https?:/i.test(uri) ? uri : `mcp:${server}:${uri}`).toWellFormed(),
    title: (title ?? name).toWellFormed(),
    domain: `mcp.${server}`,
    mime: mimeType ?? "text/plain",
    ...(description === undefined ? {} : { text: description.toWellFormed() }),
    [LINK_SERVER]: server,
    [LINK_URI]: uri.toWellFormed(),
  };
}
