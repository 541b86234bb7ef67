/** A page of the installed browser, for the trials of the built packages. */
import { findBrowser } from "@cairn/testkit/system-package";
import { chromium, type Page } from "playwright-core";

export async function withPage(use: (page: Page) => Promise<void>): Promise<void> {
  const { path, ...missing } = findBrowser();
  if (path === null) throw new Error("reason" in missing ? missing.reason : "There is no browser.");
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await use(page);
  } finally {
    await browser.close();
  }
}
