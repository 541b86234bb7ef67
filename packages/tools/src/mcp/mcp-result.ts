/**
 * Writes a server's answer as blocks: its texts as the call's result, then every picture, sound and binary resource as
 * a file of the turn. A text that only repeats the structured content is left out. An error that the tool reports
 * becomes the error of the call.
 */
import { isDeepStrictEqual } from "node:util";
import type { Settlement, ToolContext } from "@cairn/agent";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { type Binary, keepFiles, nameInUri, noticeLost } from "./keep-files.ts";
import { clipLink, linkRow, MAX_LINK_URI } from "./link-row.ts";

type Content = CallToolResult["content"][number];
type Link = Extract<Content, { type: "resource_link" }>;

const MAX_TEXT = 200_000;
const MAX_LINKS = 100;

/** `server`: whose result it is. Its links become sources, which `react.read` follows. */
export async function settleResult(result: CallToolResult, context: ToolContext, server: string): Promise<Settlement> {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap((part) => textOf(part) ?? []);
  const given = content.filter((part) => part.type === "resource_link");
  const kept = given.filter(({ uri }) => uri.length <= MAX_LINK_URI).slice(0, MAX_LINKS);
  const links = kept.map(clipLink);
  const dropped = given.filter((link) => !kept.includes(link)).map(({ name }) => name);
  const { files, lost } = await keepFiles(
    content.flatMap((part) => binaryOf(part) ?? []),
    context,
  );
  const { text: said, mime: saidMime } = shownText(texts, structuredContent);
  return (scribe) => {
    if (isError === true) {
      const text = [...(said === "" ? [] : [said]), ...links.map((link) => describeLink(link, null))].join("\n\n");
      const message = text === "" ? "The tool reported an error." : text.slice(0, 4_000).toWellFormed();
      scribe.fail({ code: "mcp_tool_error", message });
      return;
    }
    const sids = scribe.mergeSources(links.map((link) => linkRow(link, server)));
    const listed = links.map((link, nth) => describeLink(link, sids[nth] ?? null));
    const text = [...(said === "" ? [] : [said]), ...listed].join("\n\n");
    const mime = listed.length === 0 ? saidMime : "text/plain";
    noticeLost(scribe, [...lost, ...dropped]);
    if (text.length > MAX_TEXT)
      scribe.notice(
        "tool_call_warning.result_truncated",
        `The result has ${text.length} characters; the first ${MAX_TEXT} are shown. Ask for less at a time.`,
      );
    if (text.length > MAX_TEXT) scribe.result(`${text.slice(0, MAX_TEXT).toWellFormed()}...[truncated]`, "text/plain");
    else if (text !== "") scribe.result(text, mime);
    for (const file of files) file.write(scribe);
  };
}

function shownText(texts: readonly string[], structured: unknown): { readonly text: string; readonly mime: string } {
  if (structured === undefined) return { text: texts.join("\n\n"), mime: "text/plain" };
  const json = JSON.stringify(structured);
  const others = texts.filter((text) => !repeats(text, structured));
  if (others.length === 0) return { text: json, mime: "application/json" };
  return { text: `${others.join("\n\n")}\n\n${json}`, mime: "text/plain" };
}

function repeats(text: string, structured: unknown): boolean {
  if (text.length > MAX_TEXT) return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), structured);
  } catch {
    return false; // The text is not JSON, so it does not repeat the structured content.
  }
}

function textOf(part: Content): string | null {
  switch (part.type) {
    case "text":
      return part.text.toWellFormed();
    case "resource":
      return "text" in part.resource ? `Resource ${part.resource.uri}\n${part.resource.text}`.toWellFormed() : null;
    default:
      return null;
  }
}

/** `sid`: null for a link that is not a source and cannot be read. */
function describeLink({ uri, name, description = "" }: Link, sid: number | null): string {
  const head =
    sid === null
      ? `Link ${uri} (${name}).`
      : `Link [S:${sid}] ${uri} (${name}). Read it with react.read so:sources_pool[${sid}].`;
  return `${head}\n${description}`.trim().toWellFormed();
}

function binaryOf(part: Content): Binary | null {
  switch (part.type) {
    case "image":
    case "audio":
      return { name: part.type, mime: part.mimeType, data: part.data };
    case "resource": {
      const { resource } = part;
      if (!("blob" in resource)) return null;
      const mime = resource.mimeType ?? "application/octet-stream";
      return { name: nameInUri(resource.uri), mime, data: resource.blob };
    }
    default:
      return null;
  }
}
