/**
 * Writes a server's answer as blocks: its texts as the call's result, then every picture, sound and binary resource as
 * a file of the turn. A text that only repeats the structured content is left out. An error that the tool reports
 * becomes the error of the call.
 */

import { isDeepStrictEqual } from "node:util";
import type { Settlement, ToolContext } from "@cairn/agent";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { type ReceivedFile, receiveFile } from "../files/received-file.ts";
import { linkRow } from "./link-row.ts";

type Content = CallToolResult["content"][number];
type Link = Extract<Content, { type: "resource_link" }>;

const MAX_TEXT = 200_000;
const MAX_FILES = 20;
const MAX_LINKS = 100;
const MAX_BASE64_CHARS = 40_000_000;

/** `server`: whose result it is. Its links become sources, which `react.read` follows. */
export async function settleResult(result: CallToolResult, context: ToolContext, server: string): Promise<Settlement> {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap((part) => textOf(part) ?? []);
  const links = content.filter((part) => part.type === "resource_link").slice(0, MAX_LINKS);
  const binaries = content.flatMap((part) => binaryOf(part) ?? []);
  const files: ReceivedFile[] = [];
  const lost: string[] = [];
  for (const [nth, binary] of binaries.entries()) {
    context.signal.throwIfAborted();
    if (nth >= MAX_FILES || binary.data.length > MAX_BASE64_CHARS) lost.push(binary.name);
    else files.push(await keep(binary, nth, context));
  }
  const { text: said, mime: saidMime } = shownText(texts, structuredContent);
  return (scribe) => {
    const sids = isError === true ? [] : scribe.mergeSources(links.map((link) => linkRow(link, server)));
    const listed = links.flatMap((link, nth) => (sids[nth] === undefined ? [] : [describeLink(link, sids[nth])]));
    const text = [...(said === "" ? [] : [said]), ...listed].join("\n\n");
    const mime = listed.length === 0 ? saidMime : "text/plain";
    if (isError === true) {
      scribe.fail({
        code: "mcp_tool_error",
        message: text === "" ? "The tool reported an error." : text.slice(0, 4_000),
      });
      return;
    }
    if (lost.length > 0)
      scribe.notice(
        "tool_call_warning.files_dropped",
        `Too many or too large to be kept: ${lost.join(", ").slice(0, 500)}.`,
      );
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
    return false; // Not JSON: it is different text.
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

function describeLink({ uri, name, description = "" }: Link, sid: number): string {
  return [`Link [S:${sid}] ${uri} (${name}). Read it with react.read so:sources_pool[${sid}].`, description]
    .join("\n")
    .trim()
    .toWellFormed();
}

interface Binary {
  readonly name: string;
  readonly mime: string;
  readonly data: string;
}

function binaryOf(part: Content): Binary | null {
  switch (part.type) {
    case "image":
    case "audio":
      return { name: part.type, mime: part.mimeType, data: part.data };
    case "resource": {
      const { resource } = part;
      if (!("blob" in resource)) return null;
      const name = resource.uri.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
      return {
        name: name === "" ? "resource" : name,
        mime: resource.mimeType ?? "application/octet-stream",
        data: resource.blob,
      };
    }
    default:
      return null;
  }
}

function keep({ name, mime, data }: Binary, nth: number, context: ToolContext): Promise<ReceivedFile> {
  return receiveFile({ name: `${nth + 1}-${name}`, mime, bytes: Buffer.from(data, "base64") }, context);
}
