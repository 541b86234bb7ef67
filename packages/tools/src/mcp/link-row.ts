/** A link that a tool returned, as a source of the conversation. */
import { LINK_SERVER, LINK_URI, type SourceInput } from "@cairn/timeline";
import type { ResourceLink } from "@modelcontextprotocol/client";

/** Maximum length of an address. A longer one cannot be cut, so it makes no source. */
export const MAX_LINK_URI = 8_000;
const MAX_NAME = 500;
const MAX_DESCRIPTION = 4_000;
const MAX_MIME = 200;

/** The link with texts of a limited length: they are in every later request that lists the sources. */
export function clipLink({ title, description, mimeType, ...link }: ResourceLink): ResourceLink {
  return {
    ...link,
    name: link.name.slice(0, MAX_NAME),
    ...(title === undefined ? {} : { title: title.slice(0, MAX_NAME) }),
    ...(description === undefined ? {} : { description: description.slice(0, MAX_DESCRIPTION) }),
    ...(mimeType === undefined ? {} : { mimeType: mimeType.slice(0, MAX_MIME) }),
  };
}

/** The row of a link. A web page is the same source for every server; other addresses belong to their server. */
export function linkRow({ uri, name, title, description, mimeType }: ResourceLink, server: string): SourceInput {
  return {
    source_type: "mcp",
    url: (/^https?:/i.test(uri) ? uri : `mcp:${server}:${uri}`).toWellFormed(),
    title: (title ?? name).toWellFormed(),
    domain: `mcp.${server}`,
    mime: (mimeType ?? "text/plain").toWellFormed(),
    ...(description === undefined ? {} : { text: description.toWellFormed() }),
    [LINK_SERVER]: server,
    [LINK_URI]: uri.toWellFormed(),
  };
}
