/** Tests standing orders in real Chromium: people view, correct, delete and add them. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { expect, it } from "vitest";
import { SOON, TestBrowser } from "./browser.ts";

const chromium = findBrowser();

it.skipIf(chromium.path === null)("a person sees, corrects, deletes and adds standing orders", async () => {
  await using bench = await AppBench.open({ delayMs: 1 });
  await using browser = await TestBrowser.launch(chromium.path ?? "");
  await using at = await browser.open(`${bench.address}/`);
  const { page } = at;
  await page.getByRole("textbox", { name: "Message" }).fill("Never mention my age. Call me Ada. What is a cairn?");
  await page.keyboard.press("Enter");
  await at.answered();
  await page.getByRole("banner").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Standing orders" }).click();
  const dialog = page.getByRole("dialog", { name: "Standing orders" });
  const items = dialog.getByRole("list", { name: "Standing orders" }).getByRole("listitem");
  const shown = () => items.allInnerTexts();
  await expect
    .poll(shown, SOON)
    .toEqual([expect.stringMatching(/^rule\s+Never/), expect.stringMatching(/^name\s+Call/)]);
  await dialog.getByRole("button", { name: "Delete: Never mention my age." }).click();
  await expect.poll(() => items.count(), SOON).toBe(1);
  await dialog.getByRole("button", { name: "Correct: Call me Ada." }).click();
  await dialog.getByRole("textbox", { name: "Order", exact: true }).fill("Call me Lady Ada.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("textbox", { name: "New order" }).fill("Always use metric units.");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect
    .poll(shown, SOON)
    .toEqual([expect.stringContaining("Call me Lady Ada."), expect.stringContaining("Always use metric units.")]);
  await expect.poll(() => at.faults(), SOON).toEqual([]);
  expect(at.complaints).toEqual([]);
});
