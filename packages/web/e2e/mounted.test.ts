/** Tests the app below a path of another application. */
import { findBrowser } from "@cairn/testkit/system-package";
import { startMountedApp } from "@cairn/testkit/web";
import { describe, expect, it } from "vitest";
import { TestBrowser } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("the app below a prefix", () => {
  it("talks, keeps its address below the prefix, and opens a conversation and the inspector by address", async () => {
    await using app = await startMountedApp("/tools/support");
    await using browser = await TestBrowser.launch(chromium.path ?? "");
    await using at = await browser.open(app.address);
    const requested: string[] = [];
    at.page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await at.say("Hello there");
    await at.answered();
    const { pathname } = new URL(at.page.url());
    expect(pathname).toMatch(/^\/tools\/support\/c\/[^/]+$/);
    await at.page.reload();
    await at.answered();
    await at.page.goto(`${at.page.url()}/inspect/requests`);
    await at.page.getByRole("button", { name: "Inspector" }).waitFor();
    await at.answered();
    await at.page.getByRole("link", { name: "New conversation" }).first().click();
    await expect.poll(() => new URL(at.page.url()).pathname).toBe("/tools/support/");
    expect(requested.filter((path) => !path.startsWith("/tools/support/"))).toEqual([]);
    expect(await at.faults()).toEqual([]);
  });
});
