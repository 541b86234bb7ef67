/** Tests MCP servers in the app, below the path of another application: logging in and out, and sending a prompt. */
import { ProtectedServer } from "@cairn/testkit/oauth";
import { findBrowser } from "@cairn/testkit/system-package";
import { startMountedApp } from "@cairn/testkit/web";
import { expect, it } from "vitest";
import { SOON, TestBrowser } from "./browser.ts";

const chromium = findBrowser();

it.skipIf(chromium.path === null)(
  "a person connects an MCP server, sends one of its prompts, and disconnects it",
  async () => {
    await using shop = await ProtectedServer.open();
    shop.nextAccount = "ada@shop";
    await using app = await startMountedApp("/tools/support", { shop: { url: shop.url, allow: "all" } });
    await using browser = await TestBrowser.launch(chromium.path ?? "");
    await using at = await browser.open(app.address);
    const { page } = at;

    await page.goto(`${app.address}mcp-login?code=c&state=of-another-site`);
    await page.getByRole("alert").getByText("This page did not begin a login.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "MCP servers" }).click();
    const dialog = page.getByRole("dialog", { name: "MCP servers" });
    await dialog.getByText("Requires your login.").waitFor();
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await dialog.getByRole("button", { name: "Connect shop" }).click();
    await page.getByText("Connected to shop.").waitFor();
    expect(page.url()).toBe(app.address);

    const message = page.getByLabel("Message", { exact: true });
    await message.fill("/");
    const option = page.getByRole("option", { name: "/shop.greeting" });
    await option.waitFor();
    expect(await message.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await message.press("Enter");
    await page.getByRole("textbox", { name: /^to/ }).fill("Eve");
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await page.keyboard.press("Enter");
    await expect
      .poll(() => message.inputValue(), SOON)
      .toBe("User: Greet Eve from ada@shop.\n\nAssistant: How warmly?");
    await page.getByRole("list", { name: "Files to send" }).getByText("1-image").waitFor();
    await message.press("Enter");
    await at.answered();
    const read = await fetch(`${page.url().replace("/c/", "/api/conversations/")}/timeline`);
    const { blocks } = JSON.parse(await read.text());
    expect(blocks.find(({ type }: { readonly type: string }) => type === "user.prompt")).toMatchObject({
      text: "User: Greet Eve from ada@shop.\n\nAssistant: How warmly?",
      meta: { prompt: { server: "shop", name: "greeting", arguments: { to: "Eve" } } },
    });

    await page.getByRole("button", { name: "MCP servers" }).click();
    await dialog.getByText("3 tools, connected with your login").waitFor();
    await dialog.getByRole("button", { name: "Disconnect shop" }).click();
    await dialog.getByRole("button", { name: "Connect shop" }).waitFor();
    expect(at.complaints).toEqual([]);
  },
);
