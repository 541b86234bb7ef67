/**
 * The places of the app and their addresses:
 *
 *   /                       a new conversation
 *   /mcp-login?<answer>     where a login at an MCP server ends
 *   /c/<id>                 a conversation; `#<turn id>` scrolls to a turn, `#<turn id> answer` to its answer, and with
 *                           `?find=<words>` the hit there is highlighted
 *   /c/<id>/inspect/<rest>  the inspector beside it; the inspector interprets `rest`
 */
export type Route =
  | { readonly page: "new" }
  | {
      readonly page: "chat";
      readonly conversationId: string;
      /** A turn, or the key of one of its rows. */
      readonly turnId?: string;
      /** The search text within the conversation. */
      readonly find?: string;
    }
  | {
      readonly page: "inspect";
      readonly conversationId: string;
      /** Path segments and query after `inspect`, decoded. */
      readonly rest: readonly string[];
      readonly search: string;
    }
  | { readonly page: "mcp-login"; readonly search: string }
  | { readonly page: "unknown" };

export function parseRoute({ pathname, search, hash }: { pathname: string; search: string; hash: string }): Route {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  if (segments.length === 0) return { page: "new" };
  const [first, id, third, ...rest] = segments.map(decode);
  if (first === "mcp-login" && id === undefined) return { page: "mcp-login", search };
  if (first !== "c" || id === undefined || id === "") return { page: "unknown" };
  if (third === undefined) {
    const turnId = decode(hash.replace(/^#/, ""));
    const find = new URLSearchParams(search).get("find");
    return {
      page: "chat",
      conversationId: id,
      ...(turnId === "" ? {} : { turnId }),
      ...(find === null ? {} : { find }),
    };
  }
  if (third !== "inspect") return { page: "unknown" };
  return { page: "inspect", conversationId: id, rest, search };
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case "chat": {
      const find = route.find === undefined ? "" : `?${new URLSearchParams({ find: route.find })}`;
      const turn = route.turnId === undefined ? "" : `#${encodeURIComponent(route.turnId)}`;
      return `/c/${encodeURIComponent(route.conversationId)}${find}${turn}`;
    }
    case "inspect":
      return `/c/${[route.conversationId, "inspect", ...route.rest].map(encodeURIComponent).join("/")}${route.search}`;
    default:
      return "/";
  }
}

/** Decodes a segment; one that cannot be decoded stays unchanged. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
