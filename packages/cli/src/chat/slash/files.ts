/** The slash commands `/attach`, `/files` and `/reasoning`. */
import { CairnError } from "@cairn/timeline";
import { plainLine, plainText } from "../../command/terminal.ts";
import { chooseFile, readFileName } from "../conversation/attachment.ts";
import { listFiles } from "../conversation/files.ts";
import { lastReasoning } from "../show/reasoning.ts";
import type { SlashCommand } from "./slash-command.ts";

export const attach: SlashCommand = {
  argument: "<file>",
  about: "send a file with the next message",
  inPipe: true,
  run: async (context, argument) => {
    if (argument === "") throw new CairnError("usage", "Name the file: /attach <file>");
    const { cwd, env } = context.terminal;
    const file = await chooseFile(cwd, readFileName(argument, env.HOME));
    context.attach(file);
    context.output.line("dim", `${plainLine(file.name)} (${file.mime}) will be sent with your next message.`);
  },
};

export const files: SlashCommand = {
  about: "list attached and written files, and copy them into the conversation's folder",
  inPipe: true,
  run: async ({ chat, files: chosen, output, store }) => {
    const listed = chat.conversation.exists ? await listFiles(store, chat.key, chat.folder) : [];
    output.print(listed.map(({ path, local }) => `${plainLine(path)}  ${plainLine(local)}`));
    output.print(chosen.map(({ name }) => `${plainLine(name)}  (will be sent with your next message)`));
    if (listed.length + chosen.length === 0) output.line("dim", "No files yet.");
  },
};

export const reasoning: SlashCommand = {
  about: "show the reasoning of the last turn",
  inPipe: true,
  run: async ({ chat, output, store }) => {
    const texts = chat.conversation.exists ? await lastReasoning(store, chat.key) : [];
    output.print(texts.flatMap((text) => [...plainText(text).split("\n"), ""]));
    if (texts.length === 0) output.line("dim", "The last turn has no reasoning that can be shown.");
  },
};
