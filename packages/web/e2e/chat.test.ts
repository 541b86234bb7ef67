/** Tests the chat in real Chromium over the real server, with the offline model. */
import { readFileSync } from "node:fs";
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, DESKTOP, PHONE, SOON, TestBrowser, type TestPage } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("the chat", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  let at: TestPage;
  beforeAll(async () => {
    bench = await AppBench.open({ delayMs: 12 });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterEach(async () => {
    expect(await at.close()).toEqual([]);
  });
  afterAll(() => closeAll(browser, bench));

  const open = async (path = "/") => {
    at = await browser.open(bench.address + path);
    return at.page;
  };
  const save = async (name: string) => {
    await at.page.getByRole("button", { name: "More", exact: true }).click();
    const item = at.page.getByRole("menuitem", { name });
    const [download] = await Promise.all([at.page.waitForEvent("download"), item.click()]);
    return readFileSync(await download.path(), "utf8");
  };
  const conversationId = () => /\/c\/([^/#]+)/.exec(at.page.url())?.[1] ?? "";

  it("leads from the first visit to a finished report with citations and a file", async () => {
    const page = await open();
    await page
      .getByRole("combobox", { name: "Reasoning" })
      .getByText("no reasoning with the offline model")
      .waitFor({ state: "attached" });
    expect(await page.getByRole("combobox", { name: "Reasoning" }).isDisabled()).toBe(true);
    await page.getByRole("main").getByRole("button", { name: "Write a report" }).click();
    await at.answered();
    // The list stays at its end, but the plan is at its beginning.
    await page.getByRole("region", { name: "Conversation" }).evaluate((scroller) => scroller.scrollTo(0, 0));
    await page.getByRole("region", { name: "Plan" }).getByText("(done)").nth(3).waitFor({ state: "attached" });
    await page
      .getByRole("button", { name: /^Source \d/ })
      .first()
      .hover();
    const card = page.getByRole("dialog", { name: /^Source \d/ });
    await card.getByText("Questions and answers", { exact: true }).waitFor();
    await card.getByText("Library: questions.md", { exact: true }).waitFor();
    // The marked words are the quoted words, without Markdown's backticks.
    const marked = (await card.locator("mark").textContent())?.replaceAll("`", "");
    expect(marked).toMatch(/inspector .*\.$/);
    expect(await page.getByRole("region", { name: "Conversation" }).textContent()).toContain(`“${marked}”`);
    // After a click, the card stays open when the pointer leaves it.
    await page
      .getByRole("button", { name: /^Source \d/ })
      .first()
      .click();
    await page.mouse.move(5, 5);
    await card.getByRole("button", { name: "Show the passage" }).click();
    await page.getByRole("dialog", { name: "Questions and answers" }).waitFor();
    await page.keyboard.press("Escape");
    const files = page.getByRole("list", { name: "Files" });
    const name = "the-inspector";
    await files.getByRole("button", { name: `${name}.pdf` }).waitFor();
    await files.getByRole("button", { name: `${name}.md` }).click();
    const viewer = page.getByRole("dialog", { name: `${name}.md` });
    await viewer
      .getByRole("heading", { name: /^The inspector/ })
      .first()
      .waitFor();
    await viewer.getByRole("tab", { name: "Source" }).click();
    await viewer.getByText("# The inspector").first().waitFor();
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
    await page
      .getByRole("navigation", { name: "Conversations" })
      .getByRole("link", { name: /report/i })
      .waitFor();
    await at.say("how do I mount it in Express?");
    await at.answered(2);
    const answer = page.getByRole("article", { name: "Answer 2" });
    await answer
      .getByText(/Express.*toNode/)
      .first()
      .waitFor();
    await answer
      .getByRole("button", { name: /: Questions and answers$/ })
      .first()
      .waitFor();
  });

  it("runs the program of the first visit, and shows the chart it drew", async () => {
    const page = await open();
    await page.getByRole("main").getByRole("button", { name: "Run a program" }).click();
    await at.answered();
    await page.getByText("19 calls, 11 found at a cairn").waitFor();
    await page.getByRole("region", { name: "Conversation" }).evaluate((scroller) => scroller.scrollTo(0, 0));
    await page.locator("[data-row=prompt] pre .hljs-keyword", { hasText: "import" }).waitFor();
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await page.getByRole("list", { name: "Files" }).getByRole("button", { name: "rescue-calls.svg" }).click();
    await page.getByRole("dialog", { name: "rescue-calls.svg" }).getByRole("img").waitFor();
    await page.keyboard.press("Escape");
    // A saved file shows the chart without the server.
    expect(await save("Save as Markdown")).toMatch(
      /\n- `rescue-calls\.svg`\n.*!\[rescue-calls\.svg\]\(<data:image\/svg/s,
    );
    const html = await save("Save as HTML");
    await page.context().setOffline(true);
    await page.goto("about:blank");
    await page.setContent(html);
    const chart = page.getByRole("img", { name: "rescue-calls.svg" });
    await expect.poll(() => chart.evaluate((img) => (img as HTMLImageElement).naturalWidth), SOON).toBeGreaterThan(100);
  });

  it("shows the output of a running program, and how long it has been running", async () => {
    const page = await open();
    const program = "import itertools, time\nfor n in itertools.count():\n    print('step', n)\n    time.sleep(0.1)";
    await at.say(`Run this:\n\`\`\`python\n${program}\n\`\`\``);
    const output = page.getByRole("status", { name: "Output so far" });
    const steps = async () => Number(/step (\d+)$/.exec((await output.textContent()) ?? "")?.[1]);
    await output.getByText("step 3").waitFor();
    const seen = await steps();
    await expect.poll(steps, SOON).toBeGreaterThan(seen + 5);
    await page
      .locator("[data-row=round]")
      .last()
      .getByText(/^\d+ s$/)
      .waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).first().click();
    await page.getByText("Stopped", { exact: true }).waitFor();
    expect(await output.count()).toBe(0);
    await page.reload();
    await page
      .getByRole("status", { name: "Output until it was stopped" })
      .getByText(/step \d+$/)
      .waitFor();
  });

  it("answers the question of the first visit from the document that comes with it", async () => {
    const page = await open();
    await page.getByRole("main").getByRole("button", { name: "Ask a document" }).click();
    await at.answered();
    await page.getByText("numbers 4, 9, 17, 28, 33 and 36").first().waitFor();
    await page.getByRole("button", { name: "Source 1" }).first().waitFor();
  });

  it("answers a question about an attachment, dropped on the page, in the words of the attachment", async () => {
    const page = await open();
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(
        new File(["The library opens at nine. It closes at five on Fridays."], "hours.txt", { type: "text/plain" }),
      );
      return data;
    });
    for (const event of ["dragenter", "dragover", "drop"])
      await page.dispatchEvent("body", event, { dataTransfer: dropped });
    await page.getByRole("list", { name: "Files to send" }).getByText("hours.txt").waitFor();
    await at.say("When does the library close on Fridays?");
    await at.answered();
    await page.getByRole("article").getByText("It closes at five on Fridays.").waitFor();
    await (await at.openAttachment("hours.txt")).getByText("The library opens at nine.").waitFor();
  });

  it("accepts pasted files, which can be removed again, and pasted lines, about which one can ask", async () => {
    const page = await open();
    await page.getByRole("textbox", { name: "Message" }).focus();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "pasted.txt", { type: "text/plain" }));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.getByRole("button", { name: "Remove pasted.txt" }).click();
    await page.getByRole("list", { name: "Files to send" }).waitFor({ state: "detached" });
    // A long message has its own scroll bar, so that its answer stays near.
    const log = Array.from({ length: 300 }, (_, nth) => `line ${nth}: the pump P${nth} runs at ${nth + 40} degrees`);
    await at.say(`Which pump runs at 117 degrees?\n\n${log.join("\n")}`);
    await at.answered();
    await page.getByRole("article", { name: "Answer 1" }).getByText("line 77: the pump P77 runs at 117").waitFor();
    const said = await page.locator("p", { hasText: "line 299" }).first().boundingBox();
    expect(said?.height).toBeLessThan(400);
    expect(await at.faults()).toEqual([]);
  });

  it("forks, asks again and sends an edited question, and leaves the original as it was", async () => {
    const page = await open();
    await at.say("Remember that the tide turns at six");
    await at.answered();
    const original = conversationId();
    await page.getByRole("button", { name: "Fork from here" }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(original));
    await at.answered();
    await at.say("Hello");
    await at.answered(2);
    const forked = conversationId();
    await page
      .getByRole("navigation")
      .getByText(/^Fork of Remember that the tide/)
      .waitFor();
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill("A draft for later");
    await page.getByRole("button", { name: "Edit and send again" }).last().click();
    await expect.poll(() => message.inputValue(), SOON).toBe("Hello");
    await page.keyboard.press("Escape");
    await expect.poll(() => message.inputValue(), SOON).toBe("A draft for later");
    await page.getByRole("button", { name: "Edit and send again" }).last().click();
    await expect.poll(() => message.inputValue(), SOON).toBe("Hello");
    await page
      .getByLabel("Files to attach")
      .setInputFiles({ name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("High water is at noon.") });
    await at.say("When does the tide turn?");
    await page.waitForURL((url) => !url.pathname.endsWith(forked));
    await at.answered(2);
    await page
      .getByRole("list", { name: "Attachments" })
      .getByRole("button", { name: /tides\.txt/ })
      .waitFor();
    await page.getByRole("article", { name: "Answer 2" }).getByText("From my notes: “the tide turns at six”").waitFor();
    await page.getByRole("button", { name: "Ask again" }).last().click();
    const versions = page.getByRole("group", { name: "Versions of question 2" });
    await versions.getByText("3/3").waitFor();
    await versions.getByRole("button", { name: "Compare versions" }).click();
    const compared = page.getByRole("dialog", { name: "Versions of question 2" });
    await compared.getByLabel("Version to compare with").selectOption("Version 1");
    await compared
      .getByRole("region", { name: "Version 1", exact: true })
      .getByText("Hello", { exact: true })
      .waitFor();
    const shown = compared.getByRole("region", { name: "Version 3", exact: true });
    await shown.getByText("When does the tide turn?").first().waitFor();
    // The dialog was already open before the answer was complete.
    await shown.getByText("From my notes: “the tide turns at six”").waitFor();
    await shown.getByText("Cites").waitFor();
    await page.keyboard.press("Escape");
    await at.answered(2);
    const entries = page.getByRole("navigation").getByRole("link", { name: /Hello|tide/i });
    const listed = await entries.count();
    await versions.getByRole("button", { name: "Previous version" }).click();
    await versions.getByText("2/3").waitFor();
    await at.answered(2);
    await versions.getByRole("button", { name: "Previous version" }).click();
    await versions.getByText("1/3").waitFor();
    await expect.poll(conversationId, SOON).toBe(forked);
    // The list has one entry for all versions of the conversation. A link leads back from a version.
    expect(await entries.count()).toBe(listed);
    await page.reload();
    await versions.getByText("1/3").waitFor();
    await page.getByText("Forked here from").getByRole("link").click();
    await expect.poll(conversationId, SOON).toBe(original);
    await at.answered();
    expect(await page.locator("[data-row=answer]").count()).toBe(1);
    await page.goto(`${bench.address}/c/${forked}`);
    await at.answered(2);
    expect(await message.inputValue()).toBe("A draft for later");
  });

  it("shows the same in a second tab, while it happens, until it is deleted there", async () => {
    const page = await open();
    await at.say("Hello");
    await at.answered();
    await using other = await browser.open(page.url());
    await other.answered();
    await at.say("Remember that the ferry leaves at noon");
    await other.answered(2);
    await other.page.getByText("Noted: the ferry leaves at noon").waitFor();
    await other.page.getByRole("button", { name: "More", exact: true }).click();
    await other.page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "There is no such conversation" }).waitFor();
    const listed = page.getByRole("navigation", { name: "Conversations" }).locator("[aria-current=page]");
    await expect.poll(() => listed.count(), SOON).toBe(0);
  });

  it("stores the user's feedback on an answer", async () => {
    const page = await open();
    await at.say("Hello");
    await at.answered();
    const said: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/feedback")) said.push(request.postData() ?? "");
    });
    const good = page.getByRole("button", { name: "Good answer", pressed: true });
    await page.getByRole("button", { name: "Good answer" }).click();
    await good.waitFor();
    // A repeated reaction changes nothing, so the agent does not receive it twice.
    await good.click();
    await page.getByRole("button", { name: "Bad answer" }).click();
    await page.getByRole("button", { name: "Bad answer", pressed: true }).waitFor();
    await page.getByRole("textbox", { name: "What was wrong with it?" }).fill("Too short");
    expect(await at.faults()).toEqual([]);
    await page.getByRole("button", { name: "Tell the agent" }).click();
    await expect.poll(() => said.map((body) => JSON.parse(body).reaction), SOON).toEqual(["up", "down", "down"]);
    expect(JSON.parse(said.at(-1) ?? "").text).toBe("Too short");
    await page.getByRole("status").getByText("The agent reads this in its next turn.").waitFor();
    await page.route("**/feedback", (route) => route.abort());
    await page.getByRole("button", { name: "Good answer" }).click();
    const problem = page
      .getByRole("status")
      .locator("div", { has: page.getByRole("button", { name: "Dismiss" }), hasNotText: "The agent reads this" });
    await problem.waitFor();
    // A message covers neither the header, nor the composer, nor the actions of the last answer.
    for (const size of [DESKTOP, PHONE, { ...PHONE, height: 400 }]) {
      await page.setViewportSize(size);
      const covered = () =>
        problem.evaluate((toast) => {
          const { left, top, width, height } = toast.getBoundingClientRect();
          const at = [0.02, 0.5, 0.98].flatMap((x) =>
            [0.05, 0.5, 0.95].map((y) => [left + width * x, top + height * y]),
          );
          const below = at.flatMap(([x = 0, y = 0]) => document.elementsFromPoint(x, y));
          return below.filter((part) => part.matches("header, form, [data-row]")).map(({ tagName }) => tagName);
        });
      await expect.poll(covered, SOON).toEqual([]);
    }
    await page.reload();
    await page.getByRole("button", { name: "Bad answer", pressed: true }).waitFor();
  });

  it("saves a conversation as Markdown, and as HTML that needs nothing else", async () => {
    await open();
    await at.say("Hello <b>there</b>");
    await at.answered();
    expect(await save("Save as Markdown")).toMatch(
      /^# .*\n\n## 1\. Question\n\n> Hello <b>there<\/b>\n\n### Answer\n\n\S/,
    );
    const html = await save("Save as HTML");
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">.*Hello &lt;b&gt;there&lt;\/b&gt;/s);
    expect(html.match(/<h\d/g)).toEqual(["<h1", "<h2", "<h3"]);
    expect(html).not.toMatch(/<script|<link|src=/);
  });

  it("imports a conversation that it exported", async () => {
    const page = await open();
    await at.say("Remember that the lamp stands in the porch");
    await at.answered();
    const original = conversationId();
    await page.getByRole("button", { name: "More", exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export" }).click(),
    ]);
    await page.getByLabel("File to import").setInputFiles(await download.path());
    await page.waitForURL((url) => url.pathname.startsWith("/c/") && !url.pathname.endsWith(original));
    await at.answered();
    await page.getByText("Noted: the lamp stands in the porch").waitFor();
    await page
      .getByLabel("File to import")
      .setInputFiles({ name: "other.txt", mimeType: "text/plain", buffer: Buffer.from("no conversation") });
    await page.getByRole("status").getByRole("button", { name: "Dismiss" }).waitFor();
  });

  it("finds conversations by their words, renames and deletes them", async () => {
    const page = await open();
    await at.say("Remember that the heron nests by the weir");
    await at.answered();
    const list = page.getByRole("navigation", { name: "Conversations" });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    // The title is selected, so typing replaces it.
    await page.getByRole("textbox", { name: "Title" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Birds");
    await page.keyboard.press("Enter");
    await list.getByRole("link", { name: /^Birds/ }).waitFor();
    await page.getByRole("searchbox").fill("heron weir");
    await list.getByRole("link").nth(1).waitFor();
    await expect.poll(() => list.locator("ul").getByRole("link").count(), SOON).toBe(1);
    await page.getByRole("searchbox").fill("no such words anywhere");
    await page.getByText("Nothing found").waitFor();
    await page.getByRole("searchbox").fill("");
    await list.getByRole("link", { name: /^Birds/ }).hover();
    await page.getByRole("button", { name: "More for Birds" }).click();
    await page.clock.install();
    const deleted: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "DELETE") deleted.push(request.url());
    });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await expect.poll(() => list.getByRole("link", { name: /^Birds/ }).count(), SOON).toBe(0);
    await page.clock.fastForward(14_000);
    await page.getByRole("button", { name: "Undo" }).waitFor();
    expect(deleted).toEqual([]);
    await page.clock.fastForward(1_500);
    await page.getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
    await expect.poll(() => deleted.length, SOON).toBe(1);
  });
});
