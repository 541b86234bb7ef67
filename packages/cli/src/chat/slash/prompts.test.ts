/** Tests the prompts of an MCP server over HTTP as commands of the chat. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { connectMcp } from "@cairn/tools/mcp";
import { getRequestListener } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { PlainOutput } from "../show/plain-output.ts";
import { runSlashCommand } from "./commands.ts";
import { promptCommands } from "./prompts.ts";
import type { PromptMessage, SlashContext } from "./slash-command.ts";

async function openShop() {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1" });
    const argsSchema = z.object({ to: z.string().describe("Whom to greet"), how: z.string().optional() });
    server.registerPrompt("greeting", { description: "A greeting.", argsSchema }, ({ to, how = "warmly" }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Greet ${to} ${how}.` } }],
    }));
    return server;
  });
  const server = createServer(getRequestListener((request) => handler.fetch(request)));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const mcp = await connectMcp({ shop: { url, allow: "all" } });
  onTestFinished(async () => {
    await mcp.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return mcp;
}

it("a prompt asks for its arguments, and its text is shown before the person sends it as a message", async () => {
  const { servers } = await openShop();
  const stdout = new PassThrough();
  const asked: string[] = [];
  const said: PromptMessage[] = [];
  let answers: (string | null)[] = [];
  const context = {
    chat: { mcpServers: servers, key: { tenant: "t", project: "p", user: "u", conversation: "c" } },
    output: new PlainOutput({ stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}, cwd: "." }),
    ask: async (prompt: string) => {
      asked.push(prompt);
      return answers.shift() ?? null;
    },
    say: (message: PromptMessage) => said.push(message),
  } as unknown as SlashContext;
  const run = (line: string, ...given: string[]) => {
    answers = given;
    return runSlashCommand(line, context, true);
  };

  expect(await promptCommands(context)).toEqual(["/shop.greeting"]);
  expect(await run("/shop.greeting", "Eve", "", "n")).toBe(true);
  expect(said).toEqual([]);
  expect(asked).toEqual(["to (Whom to greet; required): ", "how (optional): ", "Send this message? [Y/n] "]);
  expect(await run("/shop.greeting", "Eve", "", "")).toBe(true);
  expect(said).toEqual([
    { message: "Greet Eve warmly.", files: [], prompt: { server: "shop", name: "greeting", arguments: { to: "Eve" } } },
  ]);
  expect(String(stdout.read())).toContain("Greet Eve warmly.");
  expect(await run("/shop.other")).toBe(false);
  expect(await runSlashCommand("/shop.greeting", context, false)).toBe(false);
});
