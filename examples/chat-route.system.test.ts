/**
 * `chat-route.ts` as Next.js calls it, and the page of a new project with the AI SDK's `useChat`, unmodified, in real
 * Chromium, over simulated providers.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ModelSimulator, simulatorEnv } from "@cairn/testkit/models";
import { findBrowser } from "@cairn/testkit/system-package";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuiltPage, buildPage } from "./chat-page.ts";

const found = findBrowser();
const reason = found.path === null ? ` (${found.reason})` : "";
const countTokens = (text: string) => Math.ceil(text.length / 4);
const SLOW = "These words come one by one, and the page is gone before the last. ".repeat(16).trim();

/** Calls the function of the route that has the name of the method, and serves the page. */
const SERVER = `
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { toNode } from "@cairn/server/handler";
import * as route from "./chat-route.ts";
const [folder] = process.argv.slice(1);
const page = async (path) => {
  const [file, type] = path === "/assets/page.js" ? [path, "text/javascript"] : ["/index.html", "text/html"];
  return new Response(await readFile(folder + file), { headers: { "content-type": type } });
};
const fetch = (request) => {
  const { pathname } = new URL(request.url);
  return pathname.startsWith("/api/") ? route[request.method](request) : page(pathname);
};
const server = createServer(toNode({ fetch })).listen(0, "127.0.0.1", () =>
  console.log("http://127.0.0.1:" + server.address().port));
`;

describe.skipIf(found.path === null)(`a route handler and useChat in a browser${reason}`, () => {
  let browser: Browser;
  let built: BuiltPage;
  beforeAll(async () => {
    built = await buildPage();
    browser = await chromium.launch({ executablePath: found.path ?? "", args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(async () => {
    await browser.close();
    await built[Symbol.asyncDispose]();
  });

  it.each(["anthropic:claude-sonnet-5", "openai:gpt-6.1-sol"])(
    "over %s holds a conversation, is reloaded in the middle of an answer, and goes on",
    async (model) => {
      await using simulator = await ModelSimulator.start({ countTokens });
      simulator.script([
        { reply: { text: "Hello to you." } },
        // Long enough for a busy machine to load the page again meanwhile.
        { reply: { text: SLOW, pieceSize: 12, delayMs: 120 } },
        { reply: { text: "You are welcome." } },
      ]);
      await using server = await serveRoute(built.folder, { ...simulatorEnv(simulator.baseUrl), CAIRN_MODEL: model });
      const context = await browser.newContext();
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
      const say = async (text: string) => {
        await page.getByRole("textbox", { name: "Message" }).fill(text);
        await page.keyboard.press("Enter");
      };
      const messages = () =>
        page.locator("article").evaluateAll((items) => items.map((item: { textContent: string }) => item.textContent));
      const isReady = () => page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

      await page.goto(`${server.address}/#chat`);
      await say("Hello");
      await page.getByText("Hello to you.").waitFor();
      await isReady();
      await say("Speak");
      await page.getByText("and the page is gone").waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      await page.getByText("These words").waitFor();
      const seen = (await messages()).at(-1) ?? "";
      expect(SLOW.startsWith(seen)).toBe(true);
      expect(seen.length).toBeLessThan(SLOW.length);
      await isReady();
      expect(await messages()).toEqual(["Hello", "Hello to you.", "Speak", SLOW]);
      await say("Thanks");
      await page.getByText("You are welcome.").waitFor();
      await isReady();
      expect(await messages()).toEqual(["Hello", "Hello to you.", "Speak", SLOW, "Thanks", "You are welcome."]);
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(complaints).toEqual([]);
      const { turns } = await (await fetch(`${server.address}/api/conversations/chat`)).json();
      expect(turns.map(({ completion }: { completion: { text: string } }) => completion.text)).toEqual([
        "Hello to you.",
        SLOW,
        "You are welcome.",
      ]);
      expect(simulator.remaining).toEqual([]);
      await context.close();
    },
  );
});

async function serveRoute(folder: string, env: NodeJS.ProcessEnv): Promise<AsyncDisposable & { address: string }> {
  const data = await mkdtemp(join(tmpdir(), "cairn-route-"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", SERVER, folder], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, ...env, CAIRN_DATA_DIR: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  for await (const chunk of child.stdout) {
    const [address] = /http:\S+/.exec(String(chunk)) ?? [];
    if (address !== undefined) return { address, [Symbol.asyncDispose]: stop };
  }
  throw new Error("The route did not start.");
}
