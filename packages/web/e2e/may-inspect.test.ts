/** Tests a person whose token lacks the permission `inspect`: the inspector is hidden, and a link to it explained. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, newToken } from "@cairn/testkit/web";
import { describe, expect, it } from "vitest";
import { TestBrowser } from "./browser.ts";

const chromium = findBrowser();
const scope = { tenant: "acme", project: "site", user: "ada" };

describe.skipIf(chromium.path === null)("a person who may not inspect", () => {
  it("finds no inspector and no export, and is told why where a link leads to the inspector", async () => {
    const [person, inspector] = [newToken(scope), newToken({ ...scope, inspect: true })];
    await using bench = await AppBench.open({
      env: { CAIRN_TOKENS: JSON.stringify([person.entry, inspector.entry]) },
    });
    await using browser = await TestBrowser.launch(chromium.path ?? "");
    const made = await fetch(`${bench.address}/api/conversations`, {
      method: "POST",
      body: JSON.stringify({ title: "Tea" }),
      headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    });
    const { conversation_id: id } = JSON.parse(await made.text());
    for (const { token, entry } of [person, inspector]) {
      await using at = await browser.open(bench.address);
      await at.page.evaluate((value) => localStorage.setItem("cairn.token", value), token);
      await at.page.goto(`${bench.address}/c/${id}`);
      await at.page.getByRole("button", { name: "More", exact: true }).click();
      await at.page.getByRole("menuitem", { name: "Rename" }).waitFor();
      const mayInspect = entry.inspect === true;
      const offered = async (role: "button" | "menuitem", name: string) =>
        at.page.getByRole(role, { name, exact: true }).count();
      await expect.poll(() => offered("menuitem", "Export")).toBe(mayInspect ? 1 : 0);
      await at.page.keyboard.press("Escape");
      await expect.poll(() => offered("button", "Inspector")).toBe(mayInspect ? 1 : 0);
      await at.page.goto(`${bench.address}/c/${id}/inspect`);
      if (mayInspect) await at.page.getByRole("link", { name: "Blocks" }).waitFor();
      else
        await at.page.getByRole("heading", { name: "You have no permission to inspect this conversation" }).waitFor();
    }
  });
});
