/** Tests that all functions are reachable with the keyboard: the test clicks nothing, and the focus is never lost. */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, benchTools, findsParts, quoteOf, surveyTool } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, SOON, TestBrowser, type TestPage } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("the keyboard", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await AppBench.open({ model: "simulated", tools: [surveyTool, ...benchTools] });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(() => closeAll(browser, bench));

  const focused = ({ page }: TestPage) =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element === document.body ? "" : (element?.getAttribute("aria-label") ?? element?.textContent ?? "");
    });

  /** Moves the focus backwards until the focused element has this name. */
  async function backTo(at: TestPage, name: string): Promise<void> {
    for (let step = 0; step < 40; step++) {
      await at.page.keyboard.press("Shift+Tab");
      if ((await focused(at)).startsWith(name)) return;
    }
    throw new Error(`${name} is not reached.`);
  }

  it("is enough to fill in the form of a call that asks", async () => {
    bench.simulator.script([
      { reply: { calls: [{ name: "shop__deliver", input: {} }] } },
      { reply: { text: "It is on its way." } },
    ]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    await expect.poll(() => focused(at), SOON).toBe("Message");
    await page.keyboard.type("Deliver it");
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: "Question" });
    await card.getByText("Where to?").waitFor();
    await page.getByText("The agent is waiting for your answer.").waitFor();
    await card.getByLabel("Street").focus();
    await page.keyboard.type("Main St 1");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Fri");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await at.answered();
    expect(bench.simulator.requests.at(-1)?.request?.texts.join("\n")).toContain(
      '{"action":"accept","doors":2,"street":"Main St 1","day":"friday"}',
    );
  });

  it("is enough to ask a question, approve a call, open sources and files, give feedback and return to the composer", async () => {
    const content = "# Repairs\n\n- Cairn 4\n";
    bench.simulator.script([
      { reply: findsParts(1) },
      { reply: { calls: [{ name: "shop__order", input: { item: "flat stones", pieces: 12 } }] } },
      {
        reply: {
          calls: [{ name: "react__write", input: { path: "files/list.md", channel: "canvas", kind: "file", content } }],
        },
      },
      { reply: { text: `“${quoteOf(1)}” [[S:1]]` } },
    ]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    await expect.poll(() => focused(at), SOON).toBe("Message");
    await page.keyboard.type("Order what is missing");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Approval needed" }).waitFor();
    await backTo(at, "Allow");
    await page.keyboard.press("Enter");
    await at.answered();
    // The focused element disappeared with the answer. One key press moves the focus to the composer.
    await page.keyboard.press("/");
    await expect.poll(() => focused(at), SOON).toBe("Message");

    await backTo(at, "Inspect this turn");
    await backTo(at, "Good answer");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Good answer", pressed: true }).waitFor();

    await backTo(at, "list.md");
    await page.keyboard.press("Enter");
    const viewer = page.getByRole("dialog", { name: "list.md" });
    await viewer.getByRole("heading", { name: "Repairs" }).waitFor();
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
    await expect.poll(() => focused(at), SOON).toBe("list.md");

    await backTo(at, "Source 1");
    await page.keyboard.press("Enter");
    const card = page.getByRole("dialog", { name: "Source 1" });
    expect(await card.locator("mark").textContent()).toBe(quoteOf(1));
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await expect.poll(() => focused(at), SOON).toContain("Source 1");

    expect(at.complaints).toEqual([]);
  });

  it("has shortcuts for the rest, and the focus returns when a dialog closes", async () => {
    bench.simulator.script([{ reply: { text: "Hello." } }]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    await expect.poll(() => focused(at), SOON).toBe("Message");
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await at.answered();
    await backTo(at, "Copy the answer");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(at), SOON).toBe("Copy the answer");
    await page.keyboard.press("Control+i");
    await page.getByRole("slider", { name: "Request" }).waitFor();
    await page.keyboard.press("Control+i");
    await page.getByRole("slider").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await expect.poll(() => focused(at), SOON).toBe("Search conversations");
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await expect.poll(() => focused(at), SOON).toBe("Message");
    expect(at.complaints).toEqual([]);
  });

  it.each(["dark", "light"] as const)(
    "changes what is seen with the shortcut of the theme, if the system is %s",
    async (system) => {
      await using at = await browser.open(bench.address, { colorScheme: system });
      const colour = () => at.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await at.page.getByLabel("Message", { exact: true }).waitFor();
      const seen = [await colour()];
      for (const _ of [1, 2]) {
        await at.page.keyboard.press("Control+Shift+L");
        await expect.poll(colour, SOON).not.toBe(seen.at(-1));
        seen.push(await colour());
      }
      expect(seen[2]).toBe(seen[0]);
    },
  );

  it("empties a search field with Escape, and stops the agent with it everywhere else", async () => {
    bench.simulator.script([{ reply: { calls: [{ name: "shop__count", input: { ms: 60_000 } }] } }]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Count the shelves");
    await page.getByText(/of 40 shelves/).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("zzz");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("searchbox").inputValue(), SOON).toBe("");
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(1);
    const message = page.getByRole("textbox", { name: "Message" });
    for (const text of ["First of all", "And then", "And last"]) {
      const file = { name: "last.txt", mimeType: "text/plain", buffer: Buffer.from("last") };
      if (text === "And last") await page.getByLabel("Files to attach").setInputFiles(file);
      await message.fill(text);
      await page.keyboard.press("Alt+Enter");
    }
    // A message that waits can be removed, or edited again.
    const waiting = page.locator("[data-row=pending]");
    const act = (text: string, name: string) =>
      waiting
        .filter({ hasText: text })
        .getByRole("button", { name: `${name} the waiting message` })
        .click();
    await act("First of all", "Remove");
    await act("And then", "Edit");
    await expect.poll(() => message.inputValue(), SOON).toBe("And then");
    await expect.poll(() => waiting.count(), SOON).toBe(1);
    // The message keeps its mode, so Enter queues it again.
    await message.press("Enter");
    await waiting.filter({ hasText: "And then" }).getByText("Starts when this turn ends").waitFor();
    await act("And then", "Edit");
    await expect.poll(() => waiting.count(), SOON).toBe(1);
    expect(await at.faults()).toEqual([]);
    // Escape does not stop the agent while the user writes. After a stop, waiting messages return to the composer.
    await message.press("Escape");
    expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(1);
    await message.fill("");
    await message.press("Escape");
    await page.getByText("Stopped", { exact: true }).waitFor();
    await expect.poll(() => message.inputValue(), SOON).toBe("And last");
    await page.getByRole("list", { name: "Files to send" }).getByText("last.txt").waitFor();
    expect(await page.locator("[data-row=prompt]").count()).toBe(1);
  });
});
