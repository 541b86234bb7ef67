/** `/prompts`, and a command `/<server>.<prompt>` for each prompt of an MCP server. */
import type { ListedPrompt } from "@cairn/tools/mcp";
import { plainLine, plainText } from "../../command/terminal.ts";
import type { SlashCommand, SlashContext } from "./slash-command.ts";

export const prompts: SlashCommand = {
  about: "list the prompts of MCP servers, which are commands too",
  run: async (context) => {
    const listed = await listPrompts(context);
    context.output.print(
      listed.map((prompt) => `${commandOf(prompt)}  ${plainLine(prompt.description || prompt.title)}`.trimEnd()),
    );
    if (listed.length === 0) context.output.line("dim", "There are none.");
  },
};

/** The commands of the prompts, for completion with Tab. */
export async function promptCommands(context: SlashContext): Promise<readonly string[]> {
  return (await listPrompts(context)).map(commandOf).filter((command) => plainLine(command) === command);
}

/** Asks for the arguments and composes the message. False for a line that names no prompt. */
export async function runPrompt(line: string, context: SlashContext): Promise<boolean> {
  const prompt = /^\/[\w-]+\.\S+$/.test(line)
    ? (await listPrompts(context)).find((each) => commandOf(each) === line)
    : undefined;
  const server = context.chat.mcpServers.find(({ name }) => name === prompt?.server);
  if (prompt === undefined || server === undefined) return false;
  const given: Record<string, string> = {};
  for (const { name, description, required } of prompt.arguments) {
    const about = [description, required ? "required" : "optional"].filter((part) => part !== "").join("; ");
    const value = await context.ask(`${plainLine(`${name} (${about})`)}: `);
    if (value === null) return true;
    if (value.trim() !== "") given[name] = value.trim();
  }
  const { tenant, project, user } = context.chat.key;
  const filled = await server.prompt({ tenant, project, user }, prompt.name, given, new AbortController().signal);
  context.output.print(plainText(filled.text).split("\n"));
  for (const { name, mime } of filled.files) context.output.line("dim", plainLine(`With ${name} (${mime})`));
  const consent = await context.ask("Send this message? [Y/n] ");
  if (consent === null || /^n/i.test(consent.trim())) return true;
  context.say({
    message: filled.text,
    files: filled.files.map(({ name, mime, data }) => ({ name, mime, bytes: Buffer.from(data, "base64") })),
    prompt: { server: prompt.server, name: prompt.name, arguments: given },
  });
  return true;
}

function commandOf({ server, name }: ListedPrompt): string {
  return `/${server}.${name}`;
}

async function listPrompts({ chat: { mcpServers, key } }: SlashContext): Promise<readonly ListedPrompt[]> {
  const { tenant, project, user } = key;
  const { signal } = new AbortController();
  return (await Promise.all(mcpServers.map((server) => server.prompts({ tenant, project, user }, signal)))).flat();
}
