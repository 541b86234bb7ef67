/** `cairn read`: what stands at a logical path, in view or long summarised. The bytes as they are, for other programs. */
import { once } from "node:events";
import { openStoreWorkspace } from "@cairn/agent";
import { workspaceFolder } from "@cairn/server/config";
import { blobOf, CairnError } from "@cairn/timeline";
import { type Command, readArgs } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { keyOf, openData } from "../open-data.ts";
import { writeJson } from "../terminal.ts";

export const read: Command = {
  summary: "print what stands at a logical path",
  usage:
    "read <id> <path> [--json]\n\n  <path>  such as ar:<turn>.assistant.completion, fi:<turn>.files/report.md or so:sources_pool[1-3]; @v<n> for an earlier version\n  --json  what is known about it, as one JSON line",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" } }, ["<id>", "<path>"]);
    const [id = "", path = ""] = positionals;
    await using data = await openData(terminal);
    const key = keyOf(terminal, id);
    await data.store.getConversation(key);
    const found = await data.store.findByPath(key, path);
    if (found === null) throw new CairnError("not_found", `Nothing stands at ${path} in ${id}.`, { path });
    const { stdout } = terminal;
    const { artifact, version, latestVersion } = found;
    if (values.json === true) {
      writeJson(stdout, { ...artifact, version, latest_version: latestVersion });
      return EXIT.ok;
    }
    const blob = found.blocks.map(({ block }) => blobOf(block)).findLast((ref) => ref !== null);
    if (blob !== undefined && blob !== null) {
      for await (const chunk of data.store.readBlob(key, blob)) if (!stdout.write(chunk)) await once(stdout, "drain");
    } else if (artifact.base64 !== undefined) stdout.write(Buffer.from(artifact.base64, "base64"));
    else if (artifact.text !== undefined)
      // A person's prompt begins on a line of its own; a program gets the text as it is.
      stdout.write(stdout.isTTY === true && !artifact.text.endsWith("\n") ? `${artifact.text}\n` : artifact.text);
    else {
      const workspace = await openStoreWorkspace(data.store, key, workspaceFolder(data.settings.dataDir, key));
      const bytes = artifact.physical_path === null ? null : await workspace.read(artifact.physical_path);
      if (bytes === null)
        throw new CairnError("not_found", `${path} is described, and its content was not kept.`, { path });
      stdout.write(bytes);
    }
    return EXIT.ok;
  },
};
