/** `cairn read`: the content of a logical path, even if it was summarised long ago, as raw bytes for other programs. */
import { once } from "node:events";
import { linkFormat, linkFound } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { foundContent, workspaceFolder } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const read: Command = {
  summary: "print the content at a logical path",
  usage:
    "read <id> <path> [--links] [--json]\n\n  <path>  such as ar:<turn>.assistant.completion, fi:<turn>.files/report.md or so:sources_pool[1-3]; @v<n> for an earlier version\n  --links  in Markdown and HTML, citations of known sources become links\n  --json   all known data about the content, as one JSON line",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" }, links: { type: "boolean" } }, [
      "<id>",
      "<path>",
    ]);
    const [id = "", path = ""] = positionals;
    await using data = await openData(terminal);
    const key = keyOf(terminal, id);
    const { store, settings } = data;
    await store.getConversation(key);
    const found = await store.findByPath(key, path);
    if (found === null)
      throw new CairnError("not_found", `There is no content at ${path} in conversation ${id}.`, { path });
    const { stdout } = terminal;
    const { artifact, version, latestVersion } = found;
    if (values.json === true) {
      writeJson(stdout, { ...artifact, version, latest_version: latestVersion });
      return EXIT.ok;
    }
    const format = values.links === true ? linkFormat(found) : null;
    const content = () => foundContent(store, key, found, workspaceFolder(settings.dataDir, key));
    const linked = format === null ? null : await linkFound(store, key, found, format, content);
    if (linked !== null) stdout.write(linked);
    else for await (const chunk of content()) if (!stdout.write(chunk)) await once(stdout, "drain");
    // A terminal gets a line break at the end; a program gets the exact text.
    if (stdout.isTTY === true && artifact.text !== undefined && !artifact.text.endsWith("\n")) stdout.write("\n");
    return EXIT.ok;
  },
};
