/**
 * Tests the inspector over the real server: a conversation with pruned, hidden and compacted content, and one that
 * runs.
 */
import { join } from "node:path";
import { findBrowser } from "@cairn/testkit/system-package";
import type { ReplayedTrace } from "@cairn/testkit/turns";
import { AppBench, benchTools, playInspectedConversation } from "@cairn/testkit/web";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, TestBrowser, type TestPage } from "./browser.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("the inspector", () => {
  let trace: ReplayedTrace;
  let bench: AppBench;
  let browser: TestBrowser;
  let at: TestPage;
  beforeAll(async () => {
    trace = await playInspectedConversation();
    const env = { CAIRN_DATA_DIR: join(trace.folder, ".cairn"), CAIRN_DRAIN_SECONDS: "1" };
    bench = await AppBench.open({ model: "simulated", tools: benchTools, env });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterEach(async () => {
    expect(await at.close()).toEqual([]);
  });
  afterAll(() => closeAll(browser, bench, trace));

  const open = async (path = "") => {
    at = await browser.open(`${bench.address}/c/trace${path}`);
    return at.page;
  };
  const shown = (n: number) => at.page.getByRole("region", { name: `Request ${n}`, exact: true });
  /** Opens an address without loading the page again, as a link or the browser's history does. */
  const visit = (path: string) =>
    at.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  const address = () => new URL(at.page.url()).pathname + new URL(at.page.url()).search;

  it("walks through every request by keys, and says why each cache broke", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Inspector" }).click();
    const slider = page.getByRole("slider", { name: "Request" });
    await shown(22).waitFor();
    await page.getByRole("button", { name: "Previous request" }).focus();
    await page.keyboard.press("Shift+Tab");
    expect(await slider.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Home");
    await shown(1).waitFor();
    expect(await page.getByRole("region", { name: "Why the cache broke" }).count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    await shown(2).waitFor();
    expect(address()).toBe("/c/trace/inspect/requests/2");
    await page.keyboard.press("End");
    await shown(22).waitFor();
    const causes: [number, string][] = [
      [9, "Old turns were pruned"],
      [11, "The agent hid blocks"],
      [17, "A summary replaced older blocks"],
      [19, "The system text changed"],
      [22, "An undeclared change"],
    ];
    const why = page.getByRole("region", { name: "Why the cache broke" });
    for (const [n, cause] of causes) {
      await slider.fill(String(n - 1));
      await shown(n).waitFor();
      await why.getByRole("heading", { name: cause }).waitFor();
      await why.getByText(cause === "An undeclared change" ? "not declared" : "declared", { exact: true }).waitFor();
    }
    await slider.fill("8");
    await shown(9).waitFor();
    await why.getByRole("list", { name: "Other causes" }).getByText("Also: The cache had expired.").waitFor();
    await slider.fill("21");
    await page.getByText("The text below differs from what was sent.").waitFor();
    await why.getByText("The rebuilt block is the same in both requests.").waitFor();
    await slider.fill("18");
    await why.getByRole("region", { name: "Before and after" }).getByText("added: Keep it short.").waitFor();
    await page.getByText("Rebuilt; every hash matches").waitFor();
  });

  it("draws all requests in one chart that can be clicked, described and read as a table", async () => {
    const page = await open("/inspect/requests/3");
    const chart = page.getByRole("img", { name: /22 requests over time/ });
    const description = (await chart.getAttribute("aria-label")) ?? "";
    expect(description).toContain("The cache broke 5 times");
    expect(description).toContain("request 22: An undeclared change");
    expect(await chart.locator("[data-break=undeclared]").getAttribute("d")).toMatch(/^M[^M]+z$/);
    expect((await chart.locator("[data-break=declared]").getAttribute("d"))?.match(/M/g)).toHaveLength(4);
    const box = await chart.boundingBox();
    await chart.click({ position: { x: (box?.width ?? 0) - 8, y: 20 } });
    await shown(22).waitFor();
    await page.getByRole("button", { name: "Show the figures as a table" }).click();
    const row = page.getByRole("row", { name: /^17 / });
    await row.getByRole("cell", { name: "A summary replaced older blocks" }).waitFor();
    await row.getByRole("link", { name: "17" }).click();
    await shown(17).waitFor();
  });

  it("shows what the model answered beside what it was sent", async () => {
    const page = await open("/inspect/requests/1");
    const answer = page.getByRole("region", { name: "What the model answered" });
    await answer.getByRole("article", { name: "Notes" }).getByText("I look at the first part of the survey.").waitFor();
    await answer.getByRole("article", { name: "Call: survey.search" }).getByText("repairs before the winter").waitFor();
    const gauge = page.getByRole("meter", { name: "Context window" });
    expect(await gauge.getAttribute("aria-valuetext")).toMatch(/^[\d,]+ of [\d,]+ tokens used$/);
    await page.getByText("Tools by name").click();
    await page.getByText("Your cost over 14 days").click();
    const days = page.getByRole("list", { name: "Cost by day" }).getByRole("listitem");
    await days
      .nth(13)
      .getByText(/tokens$/)
      .waitFor();
    expect(await days.first().textContent()).toMatch(/: nothing$/);
    await page.getByRole("list", { name: "Tools by name" }).getByText("survey__search").waitFor();
    const waterfall = page.getByRole("list", { name: "Waterfall of the turn" });
    await waterfall.getByRole("link", { name: "Request 1", exact: true }).and(page.locator("[aria-current]")).waitFor();
    expect(await waterfall.getByRole("listitem").count()).toBe(7);
    expect(await waterfall.getByText("survey.search").count()).toBe(3);
    await page.getByText(/, first piece after /).waitFor();
    await visit("/c/trace/inspect/requests/22");
    await answer.getByText("The journal holds no answer to this request.").waitFor();
  });

  it("shows the originals of hidden, pruned and compacted blocks", async () => {
    const page = await open("/inspect/requests/11");
    const context = page.getByRole("region", { name: "What the model was sent" });
    const words = context.getByLabel("Search in the context");
    const original = context.getByRole("region", { name: "Original" });
    await words.fill("Part 60 of the survey");
    await context.getByRole("button", { name: /hidden by the agent/ }).click();
    await original.getByText("Cairn 60 near").waitFor();
    await words.fill("cairn 85 near");
    await context.getByRole("button", { name: /1 block that the model does not see/ }).click();
    const unseen = context.getByRole("figure", { name: /^Original of block/ });
    expect(await unseen.locator("mark").first().textContent()).toBe("Cairn 85 near");
    await words.fill("cairn 30 near");
    await context.getByLabel("Show", { exact: true }).selectOption("covered");
    await context
      .getByRole("button", { name: /pruned by age/ })
      .first()
      .click();
    await original.locator("mark").first().waitFor();
    await context.getByText("2 parts found").waitFor();
    await context.getByLabel("Show", { exact: true }).selectOption("written");
    await words.fill("");
    await context
      .getByRole("button", { name: /written/ })
      .first()
      .waitFor();
    expect(await context.getByRole("button", { name: /pruned by age/ }).count()).toBe(0);

    await visit("/c/trace/inspect/requests/17");
    await context.getByLabel("Show", { exact: true }).selectOption("all");
    await context.getByText("9 messages").waitFor();
    await shown(17).evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await context
      .getByText(/^=>\[\d\]$/)
      .last()
      .waitFor();
    await context.getByText("the tail begins").waitFor();
    await words.fill("conversation summary");
    await context.getByRole("button", { name: /conv.range.summary/ }).click();
    await context.getByText("It stands for").getByRole("link", { name: "turn_3", exact: true }).click();
    const blocks = page.getByRole("region", { name: "Blocks" });
    await blocks.getByRole("link", { name: /user\.prompt compacted .*Which cairns need repair/ }).click();
    const block = page.getByRole("region", { name: "Block 1", exact: true });
    await block.getByText("A summary replaced this block.").waitFor();
    await block.getByRole("link", { name: "Request 1", exact: true }).waitFor();
    expect(address()).toBe("/c/trace/inspect/blocks/1?turn=turn_3");
  });

  it("compares two requests: their common beginning, the first difference, and what differs", async () => {
    const page = await open("/inspect/requests/9");
    await page.getByRole("link", { name: "Compare with 8" }).click();
    await page.getByText("Both begin with the same 4 messages").waitFor();
    await page.getByText("The first difference is message #4, react.tool.result.").waitFor();
    const changed = page.getByRole("article", { name: "react.tool.result #4, changed" });
    await changed.getByText("[TRUNCATED]").waitFor();
    await changed.getByText("Cairn 12 near the ford stands well").waitFor();
    await page.getByLabel("After", { exact: true }).selectOption("8");
    await page.getByLabel("Before", { exact: true }).selectOption("7");
    await page.getByText("Everything sent before is unchanged").waitFor();
    expect(address()).toBe("/c/trace/inspect/requests/8/compare/7");
    // Only content of the tail changes from request to request.
    for (const article of await page.getByRole("article", { name: /, changed$/ }).all())
      expect(await article.getAttribute("aria-label")).toMatch(/^tail /);
  });

  it("shows the bytes that were sent, and says when they differ", async () => {
    const page = await open("/inspect/requests/12");
    await page.getByRole("button", { name: /^Wire, / }).click();
    const dialog = page.getByRole("dialog", { name: "Body of request 12" });
    await dialog.getByText("These are exactly the bytes that were sent").waitFor();
    await dialog.getByText('"claude-sonnet-5"').waitFor();
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("request-12.json");
  });

  it("has an address for every block, path, source, file and request, and says when there is nothing at one", async () => {
    const page = await open("/inspect/blocks?q=ford&type=react.tool.result&state=compacted");
    const blocks = page.getByRole("region", { name: "Blocks" });
    await blocks.getByRole("link").first().waitFor();
    for (const link of await blocks.getByRole("link").all())
      expect(await link.textContent()).toMatch(/react\.tool\.resultcompacted.*ford/);
    await page.getByLabel("State").selectOption("visible");
    await page.getByLabel("Type").selectOption("assistant.completion");
    await page.getByRole("searchbox", { name: "Search the blocks" }).fill("four that lean");
    await blocks.getByRole("link", { name: /Cap stones first/ }).waitFor();
    await expect.poll(address).toContain("q=four+that+lean");
    await page.reload();
    await blocks.getByRole("link", { name: /Cap stones first/ }).waitFor();

    const places: [string, () => Promise<void>][] = [
      ["/blocks/40", () => page.getByRole("region", { name: "Block 40" }).getByText("seq").waitFor()],
      ["/path/fi:turn_13.files/repairs.md@v1", () => page.getByText("- Cairn 8: leans").waitFor()],
      ["/sources/3", () => page.getByRole("heading", { name: "[3] Ridge survey, part 40: cap stones" }).waitFor()],
      ["/files/turn_13/files/repairs.md?v=2", () => page.getByText("Cairn 12: rebuild", { exact: false }).waitFor()],
      ["/requests/99", () => page.getByRole("heading", { name: "There is no request 99" }).waitFor()],
      ["/blocks/9999", () => page.getByRole("heading", { name: "There is no block 9999" }).waitFor()],
      ["/sources/77", () => page.getByRole("heading", { name: "There is no source 77" }).waitFor()],
      [
        "/path/fi:turn_13.files/nothing.md",
        () => page.getByRole("heading", { name: "There is no content at this path" }).waitFor(),
      ],
      ["/nowhere", () => page.getByRole("heading", { name: "Page not found" }).waitFor()],
    ];
    for (const [path, isThere] of places) {
      await visit(`/c/trace/inspect${path}`);
      await isThere();
    }
    await page.goto(`${bench.address}/c/trace/inspect/sources/3`);
    await page.getByRole("region", { name: "Cited in" }).getByRole("link", { name: "Block 12" }).click();
    await page.getByRole("region", { name: "Block 12" }).getByText("[[S:2,3]]").waitFor();
    await visit("/c/trace/inspect/files/turn_13/files/repairs.md");
    await page.getByRole("region", { name: "Changes" }).getByText("Cairn 12: rebuild, twelve stones").waitFor();
  });

  it("follows a running conversation without moving the visible part", async () => {
    bench.simulator.script([
      { reply: { text: "I count.", calls: [{ name: "shop__count", input: { ms: 6_000 } }] } },
      { reply: { calls: [{ name: "shop__count", input: { ms: 400 } }] } },
      { reply: { text: "Forty shelves." } },
    ]);
    at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Count the shelves");
    await page.getByText(/of 40 shelves/).waitFor();
    await page.getByRole("button", { name: "Inspector" }).click();
    await page.getByText("1 request", { exact: true }).waitFor();
    await shown(1).waitFor();
    await page.getByText("3 requests", { exact: true }).waitFor();
    expect(await shown(1).count()).toBe(1);
    await page.getByRole("button", { name: "To the newest request, 2 ahead" }).waitFor();
    await page.getByRole("button", { name: "Follow new requests" }).click();
    await shown(3).waitFor();
    await at.answered();
    bench.simulator.script([{ reply: { text: "You are welcome." } }]);
    await at.say("Thank you");
    await shown(4).waitFor();
    await at.answered();
    bench.simulator.script([{ reply: { text: "Any time." } }]);
    await page.getByRole("button", { name: "Ask again" }).nth(1).click();
    await page.getByText("Any time.").waitFor();
    await page.getByRole("button", { name: "Inspector" }).click();
    const branches = page.getByRole("list", { name: "Branches" });
    const version = branches.getByRole("combobox", { name: "Version of turn 2" });
    await expect.poll(() => version.locator("option:checked").textContent()).toBe("version 2 of 2");
    await version.selectOption({ label: "version 1 of 2" });
    await expect.poll(() => version.locator("option:checked").textContent()).toBe("version 1 of 2");
  });

  it("says that the requests could not be loaded, and loads them when it is asked again", async () => {
    at = await browser.open(`${bench.address}/c/trace`);
    const { page } = at;
    await page.route("**/requests", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.getByRole("button", { name: "Inspector" }).click();
    await page.getByRole("heading", { name: "The requests could not be loaded" }).waitFor();
    await page.unroute("**/requests");
    await page.getByRole("button", { name: "Try again" }).click();
    await shown(22).waitFor();
  });
});
