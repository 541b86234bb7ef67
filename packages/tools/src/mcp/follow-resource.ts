/**
 * Links that a tool returned: each becomes a source of the conversation, and reading the source reads the resource from
 * its server, with the login of the user. A model can read only what a server has linked to.
 */
import type { FollowLink } from "@cairn/agent";
import { CairnError, LINK_SERVER, LINK_URI } from "@cairn/timeline";
import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { type Binary, keepFiles, nameInUri, noticeLost } from "./keep-files.ts";
import type { McpServer } from "./mcp-server.ts";

const MAX_TEXT = 200_000;

export async function followResource(
  servers: readonly McpServer[],
  row: Parameters<FollowLink>[0],
  context: Parameters<FollowLink>[1],
): ReturnType<FollowLink> {
  const { [LINK_SERVER]: name, [LINK_URI]: uri } = row as typeof row & Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || typeof uri !== "string") return null;
  const server = servers.find((each) => each.name === name);
  if (server === undefined)
    throw new CairnError("mcp_unavailable", `The MCP server ${name} is not configured any more.`, { server: name });
  const { contents } = await server.read(context.owner, uri, context.signal);
  const texts = contents.flatMap((part) => ("text" in part ? [part.text] : []));
  const text = texts.join("\n\n").toWellFormed();
  const { files, lost } = await keepFiles(binariesOf(contents), context);
  const kept = files.map(({ artifact_path }) => `Kept as ${artifact_path}.`);
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}...[truncated]` : text;
  return {
    text: [...(shown === "" ? [] : [shown]), ...kept].join("\n\n"),
    write: (scribe) => {
      noticeLost(scribe, lost);
      for (const file of files) file.write(scribe);
    },
  };
}

function binariesOf(contents: ReadResourceResult["contents"]): readonly Binary[] {
  return contents.flatMap((part) =>
    "blob" in part
      ? [{ name: nameInUri(part.uri), mime: part.mimeType ?? "application/octet-stream", data: part.blob }]
      : [],
  );
}
