/** The AI SDK's `useChat` hook, unmodified, in a page of its own in real Chromium, over simulated providers. */
import { defineAgent, reactTools, resolveModel } from "@cairn/agent";
import { ModelSimulator } from "@cairn/testkit/models";
import { findBrowser } from "@cairn/testkit/system-package";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";
import { type BuiltPage, buildPage } from "../../test/use-chat-page.ts";

const found = findBrowser();
const reason = found.path === null ? ` (${found.reason})` : "";
const countTokens = (text: string) => Math.ceil(text.length / 4);
const SLOW = "These words come one by one, and the page is gone before the last. ".repeat(16).trim();

describe.skipIf(found.path === null)(`useChat in a browser${reason}`, () => {
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

  it.each([
    ["anthropic:claude-sonnet-5", "ANTHROPIC"],
    ["openai:gpt-6.1-sol", "OPENAI"],
  ])("over %s holds a conversation, is reloaded in the middle of an answer, and goes on", async (name, prefix) => {
    await using simulator = await ModelSimulator.start({ countTokens });
    simulator.script([
      { reply: { text: "Hello to you." } },
      // Long enough for a busy machine to load the page again meanwhile.
      { reply: { text: SLOW, pieceSize: 12, delayMs: 120 } },
      { reply: { text: "You are welcome." } },
    ]);
    const env = { [`${prefix}_API_KEY`]: "test", [`${prefix}_BASE_URL`]: simulator.baseUrl };
    const agent = defineAgent({
      name: "test",
      instructions: "You help.",
      tools: reactTools(),
      model: await resolveModel(name, env),
    });
    await using bench = await ServerBench.open({ agents: [agent], webFolder: built.folder });
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
      page.locator("li").evaluateAll((items) => items.map((item: { textContent: string }) => item.textContent));
    const isReady = () => page.getByRole("status").filter({ hasText: "ready" }).waitFor();

    await page.goto(`${bench.address}/#chat`);
    await say("Hello");
    await page.getByText("Hello to you.").waitFor();
    await isReady();
    await say("Speak");
    await page.getByText("and the page is gone").waitFor();
    await page.reload();
    await page.getByRole("status").filter({ hasText: "streaming" }).waitFor();
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
    const { turns } = await bench.get("/api/conversations/chat");
    expect(turns.map(({ completion }: { completion: { text: string } }) => completion.text)).toEqual([
      "Hello to you.",
      SLOW,
      "You are welcome.",
    ]);
    expect(simulator.remaining).toEqual([]);
    await context.close();
  });
});
