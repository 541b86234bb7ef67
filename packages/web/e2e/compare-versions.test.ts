/** Tests the comparison of two versions of a turn that is opened while one of them is being answered. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, Gate } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, SOON, TestBrowser } from "./browser.ts";

const chromium = findBrowser();
const ATTACHED = { state: "attached" } as const;

describe.skipIf(chromium.path === null)("the comparison of versions", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  const gate = new Gate();
  beforeAll(async () => {
    bench = await AppBench.open({ model: "simulated", tools: [gate.tool] });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(() => closeAll(browser, bench));

  it("shows the answer of each version, also one that is completed while the dialog is open", async () => {
    gate.close();
    bench.simulator.script([
      { reply: { text: "The first answer." } },
      { reply: { calls: [{ name: "gate__wait", input: {} }] } },
      { reply: { text: "The second answer." } },
    ]);
    const at = await browser.open(bench.address);
    const { page } = at;
    await at.say("What is known?");
    await at.answered();
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByRole("button", { name: "Compare versions" }).click();
    const version = (n: number) => page.getByRole("dialog").getByRole("region", { name: `Version ${n}`, exact: true });
    await version(1).getByText("The first answer.").waitFor();
    await version(2).getByText("There is no answer yet.").waitFor();
    // Either of the two versions may be the running one.
    await page.getByRole("button", { name: "Show this version" }).click();
    await at.answered();
    await page.getByRole("button", { name: "Compare versions" }).click();
    await version(2).getByText("There is no answer yet.").waitFor();
    gate.open();
    await version(2).getByText("The second answer.").waitFor();
    await version(2).getByRole("button", { name: "Name this version" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("With the gate");
    await page.keyboard.press("Enter");
    await version(2).getByRole("combobox").locator("option", { hasText: "Version 2: With the gate" }).waitFor(ATTACHED);
    // The name belongs to the version, so the titles of the conversation and of the other version do not change.
    expect(await page.getByRole("heading", { name: "What is known?" }).count()).toBe(1);
    await version(1).getByText("Version 1, shown now").waitFor();
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await version(2).getByRole("button", { name: "Delete this version" }).click();
    const versions = page.getByRole("group", { name: "Versions of question 1" });
    await versions.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await versions.getByText("1/2").waitFor();
    await versions.getByRole("button", { name: "Compare versions" }).click();
    const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
    await version(1).getByRole("button", { name: "Delete this version" }).click();
    await page.getByText("The second answer.").waitFor();
    expect(new URL((await deleted).url()).search).toBe("?versions=this");
    await page.reload();
    await page.getByText("The second answer.").waitFor();
    await page.getByRole("heading", { name: "What is known?" }).waitFor();
    const listed = page.getByRole("navigation", { name: "Conversations" }).getByRole("link");
    expect(await listed.filter({ hasText: "With the gate" }).count()).toBe(0);
    expect(await at.close()).toEqual([]);
  });
});
