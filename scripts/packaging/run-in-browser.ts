/** `node run-in-browser.ts <file>`: runs a module in a page, and prints its first message. An error in the page fails it. */
import { readFileSync } from "node:fs";
import { withPage } from "./browser-page.ts";

const [, , file = ""] = process.argv;

await withPage(async (page) => {
  const said = page.waitForEvent("console");
  const thrown = page.waitForEvent("pageerror").then((error) => Promise.reject(error));
  const first = Promise.race([said, thrown]);
  await page.addScriptTag({ type: "module", content: readFileSync(file, "utf8") });
  console.log((await first).text());
});
