/** Tests problems around a chat: the user is told, and can continue. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, SOON, TestBrowser } from "./browser.ts";
import { failingConversation } from "./failing-conversation.ts";
import { ODD_TEXTS, oddConversation } from "./odd-conversation.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("trouble", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await AppBench.open({ env: { CAIRN_UPLOAD_MB: "1" } });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(() => closeAll(browser, bench));

  it("says that the server is unreachable, keeps what is typed and sent meanwhile, and continues when it is back", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Remember that the weir is closed");
    await at.answered();
    await bench.stop();
    await page.getByText("The server cannot be reached").waitFor();
    await at.say("Is the weir closed?");
    await page.getByRole("textbox", { name: "Message" }).fill("Half a thou");
    await at.keepPicture("server-gone");
    await bench.start();
    await at.answered(2);
    await page.getByText("The server cannot be reached").waitFor({ state: "detached" });
    await page.getByRole("article", { name: "Answer 2" }).getByText("the weir is closed").first().waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Half a thou");
    await page.reload();
    await at.answered(2);
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("Half a thou");
    expect(await page.getByText("Is the weir closed?").count()).toBe(1);
  });

  it("sends messages that were written while the server was unreachable, even if the conversation or the page was left", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Hello");
    await at.answered();
    const address = page.url();
    await page.route("**/turns", (route) => route.abort());
    await at.say("Remember that the gate is locked");
    await page.getByText("Sending…").waitFor();
    await page.getByRole("link", { name: "New conversation" }).click();
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await page.goBack();
    await page.getByText("Sending…").waitFor();
    await page.unroute("**/turns");
    await page.goto(address);
    await at.answered(2);
    await page.getByText("Noted: the gate is locked").waitFor();
    expect(await page.getByRole("heading", { name: /^Question/ }).count()).toBe(2);
    await page.reload();
    await at.answered(2);
    expect(await page.getByRole("heading", { name: /^Question/ }).count()).toBe(2);
  });

  it("takes back a message that is being sent, and does not send it later", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Hello");
    await at.answered();
    let tries = 0;
    await page.route("**/turns", (route) => {
      tries++;
      return route.abort();
    });
    await page
      .getByLabel("Files to attach")
      .setInputFiles({ name: "keys.txt", mimeType: "text/plain", buffer: Buffer.from("Under the mat.") });
    await at.say("Where are the keys?");
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("Sending…").waitFor({ state: "detached" });
    const box = page.getByRole("textbox", { name: "Message" });
    expect(await box.inputValue()).toBe("Where are the keys?");
    await page.getByRole("button", { name: "Remove keys.txt" }).waitFor();
    const soFar = tries;
    await page.waitForTimeout(2_500);
    expect(tries).toBe(soFar);
    await page.unroute("**/turns");
    await box.fill("");
    await page.reload();
    await at.answered();
    expect(await page.getByRole("heading", { name: /^Question/ }).count()).toBe(1);
  });

  it("returns the text when a conversation or its copy cannot be created", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    const box = page.getByRole("textbox", { name: "Message" });
    const file = { name: "keys.txt", mimeType: "text/plain", buffer: Buffer.from("Under the mat.") };
    await page.route("**/api/conversations", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await page.getByLabel("Files to attach").setInputFiles(file);
    await at.say("Where are the keys?");
    await page.getByRole("button", { name: "Remove keys.txt" }).waitFor();
    await expect.poll(() => box.inputValue(), SOON).toBe("Where are the keys?");
    await page.unroute("**/api/conversations");
    await page.getByRole("button", { name: "Send" }).click();
    await at.answered();
    await box.fill("A draft");
    await page.route("**/branch", (route) => route.abort());
    await page.getByRole("button", { name: "Edit and send again" }).click();
    await expect.poll(() => box.inputValue(), SOON).toBe("Where are the keys?");
    await page.getByLabel("Files to attach").setInputFiles({ ...file, name: "more.txt" });
    await at.say("Where are all the keys?");
    await page.getByRole("button", { name: "Remove more.txt" }).waitFor();
    await expect.poll(() => box.inputValue(), SOON).toBe("Where are all the keys?");
    await page.getByRole("button", { name: "Cancel editing" }).click();
    await expect.poll(() => box.inputValue(), SOON).toBe("A draft");
  });

  it("says why a message waits while the server is overloaded, and sends it automatically", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    const full = { error: { code: "too_many_turns", message: "Too many turns are waiting." } };
    await page.route("**/turns", (route) =>
      route.fulfill({ status: 429, headers: { "retry-after": "3" }, json: full }),
    );
    await at.say("Hello");
    await page.getByText("Retrying soon. Too many turns are waiting.").waitFor();
    await page.unroute("**/turns");
    await at.answered();
    expect(await page.getByText("Retrying soon.").count()).toBe(0);
  });

  it("says that a folder cannot be attached, and accepts the files beside it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-drop-"));
    await mkdir(join(folder, "papers"));
    await writeFile(join(folder, "one.txt"), "One.");
    await using at = await browser.open(bench.address);
    const { page } = at;
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [join(folder, "papers"), join(folder, "one.txt")], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
    await page.getByRole("alert").getByText("papers is a folder").waitFor();
    expect(await page.getByRole("list", { name: "Files to send" }).getByRole("listitem").count()).toBe(1);
    // The message also names a file that is removed before it is sent.
    await rm(folder, { recursive: true });
    await at.say("What do they say?");
    await page
      .getByRole("alert")
      .getByText(/one\.txt can no longer be read/)
      .waitFor();
  });

  it("opens automatically once a server that was unreachable at first is back", async () => {
    await using first = await browser.open(bench.address);
    await first.say("Hello");
    await first.answered();
    const address = first.page.url();
    await using at = await browser.open(bench.address);
    await at.page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await bench.stop();
    await at.page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, new URL(address).pathname);
    await at.page.getByText("The server cannot be reached").waitFor();
    await bench.start();
    await at.answered();
  });

  it("rejects a file that is too large before it is sent, and says so when the server rejects it", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    const big = { name: "big.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(1_200_000) };
    await page.getByLabel("Files to attach").setInputFiles(big);
    await page.getByRole("alert").getByText("big.bin is too large").waitFor();
    await at.keepPicture("too-large");
    // This page does not know the limit, so it sends the message and gets the error.
    await page.route("**/api/meta", (route) => route.abort());
    await page.reload();
    await page.getByLabel("Files to attach").setInputFiles(big);
    await at.say("What is in it?");
    await page
      .getByRole("alert")
      .getByText(/Not sent: .*bytes/)
      .waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    // The message returns to the input field in which it was written.
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("What is in it?");
    await page.getByRole("button", { name: "Remove big.bin" }).click();
    await at.say("Hello then");
    await at.answered();
  });

  it("renders a conversation with odd blocks, and leaves nothing out", async () => {
    await bench.seed("odd", oddConversation());
    await using at = await browser.open(`${bench.address}/c/odd`);
    const { page } = at;
    await at.answered(ODD_TEXTS.length);
    // Goes through the page from its beginning to its end and unfolds everything.
    const drawn = await page.getByRole("region", { name: "Conversation" }).evaluate(async (scroller) => {
      const texts = new Set<string>();
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      scroller.scrollTo(0, 0);
      for (let step = 0; step < 400; step++) {
        await frame();
        const folded = scroller.querySelectorAll<HTMLElement>(
          "[data-row=work] button[aria-expanded=false], [data-row=round] button[aria-expanded=false]:not([aria-haspopup])",
        );
        for (const row of scroller.querySelectorAll("[data-row]"))
          texts.add(
            row.textContent?.includes("cannot be shown") === true ? "undrawn" : (row.getAttribute("data-row") ?? ""),
          );
        const top = scroller.scrollTop;
        for (const each of folded) each.click();
        if (folded.length === 0) scroller.scrollBy(0, 600);
        await frame();
        if (folded.length === 0 && scroller.scrollTop === top) break;
      }
      return [...texts].sort();
    });
    expect(drawn).toEqual(["answer", "end", "plan", "prompt", "round", "work"]);
    expect(at.complaints).toEqual([]);
  });

  it("shows failures as failures: a program, a page of a fetch, a call that was refused", async () => {
    await bench.seed("failing", failingConversation());
    await using at = await browser.open(`${bench.address}/c/failing`);
    const { page } = at;
    await at.answered();
    const work = page.getByRole("button", { name: /1 failed, 1 partly failed, 1 refused/ });
    await work.waitFor();
    await work.click();
    const round = (name: RegExp) => page.locator("[data-row=round]").getByRole("button", { name });
    await round(/Run Python sum failed: execution_failed — ZeroDivisionError/).waitFor();
    await round(/Read a\.example and 1 more partly failed: 1 of 2 pages: https:\/\/b\.example/).waitFor();
    await round(/shop: order refused: The user did not agree/).waitFor();
    await round(/Run Python sum/).click();
    await page.getByText("Failed: execution_failed — ZeroDivisionError: division by zero", { exact: true }).waitFor();
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    expect(at.complaints).toEqual([]);
  });

  it("shows that the program somebody asked to run has failed", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Run this:\n```python\nraise ValueError('no tea')\n```");
    await at.answered();
    await page.getByRole("button", { name: /1 failed/ }).waitFor();
  });

  it("says that a conversation is not there", async () => {
    await using at = await browser.open(`${bench.address}/c/nobody-made-this`);
    await at.page.getByRole("heading", { name: "There is no such conversation" }).waitFor();
    await at.page.getByRole("link", { name: "Start a new one" }).click();
    await at.page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
  });

  it("says that an address does not exist", async () => {
    await using at = await browser.open(`${bench.address}/nowhere/at/all`);
    await at.page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
});
