/** `cairn export`: a conversation with its files as one file. */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CairnError } from "@cairn/timeline";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { countBytes, doLongWork } from "../command/long-work.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const exportCommand: Command = {
  summary: "export a conversation and its files to one file",
  usage:
    "export <id> [--out <file>] [--json]\n\n  --out, -o <file>  the file to write (default: standard output)\n  --json            with --out, print the result as one JSON line",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { out: { type: "string", short: "o" }, json: { type: "boolean" } }, [
      "<id>",
    ]);
    const conversation = positionals[0] ?? "";
    await using data = await openData(terminal);
    await data.store.getConversation(keyOf(terminal, conversation));
    const exportTo = (write: (content: Readable) => Promise<void>) =>
      doLongWork(terminal, "Exporting", ({ report }, signal) => {
        const content = data.store.exportConversation(keyOf(terminal, conversation), { signal });
        return write(Readable.from(countBytes(content, report)));
      });
    if (values.out === undefined) {
      await exportTo((content) => pipeline(content, terminal.stdout, { end: false }));
      return EXIT.ok;
    }
    const file = resolve(terminal.cwd, values.out);
    await exportTo((content) => writeWhole(file, content));
    if (values.json === true) writeJson(terminal.stdout, { conversation, file });
    else terminal.stderr.write(`Exported ${conversation} to ${file}\n`);
    return EXIT.ok;
  },
};

/** Replaces the file only if the export is complete. */
async function writeWhole(file: string, content: Readable): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await pipeline(content, createWriteStream(part, { flags: "wx" }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    if (CairnError.is(error)) throw error;
    throw new CairnError("io", `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
