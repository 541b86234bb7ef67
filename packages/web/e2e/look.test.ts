/**
 * Every main state of the app, light and dark, on a desk and on a phone: axe finds nothing, and with
 * CAIRN_SCREENSHOTS=1 a picture of each goes to `docs/screenshots`.
 */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, benchTools } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESKTOP, PHONE, SOON, TestBrowser, TestPage, TRIES_ALL } from "./browser.ts";
import { RICH_ANSWER } from "./rich-answer.ts";

const chromium = findBrowser();

const LOOKS = [
  { name: "desktop-light", viewport: DESKTOP, colorScheme: "light" },
  { name: "desktop-dark", viewport: DESKTOP, colorScheme: "dark" },
  { name: "phone-light", viewport: PHONE, colorScheme: "light", hasTouch: true, isMobile: true },
  { name: "phone-dark", viewport: PHONE, colorScheme: "dark", hasTouch: true, isMobile: true },
] as const;

describe.skipIf(chromium.path === null)("the look", { timeout: 600_000 }, () => {
  let offline: AppBench;
  let provided: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    offline = await AppBench.open();
    provided = await AppBench.open({ model: "simulated", tools: benchTools, env: { CAIRN_DRAIN_SECONDS: "1" } });
    browser = await TestBrowser.launch(chromium.path ?? "");
    await prepare();
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await offline[Symbol.asyncDispose]();
    await provided[Symbol.asyncDispose]();
  });

  const places = new Map<string, string>();

  /** Conversations in the states that are looked at, made as a user would. */
  async function prepare(): Promise<void> {
    {
      await using at = await browser.open(offline.address);
      await at.page.getByRole("main").getByRole("button", { name: "Write a report" }).click();
      await at.answered();
      places.set("report", at.page.url());
    }
    provided.simulator.script([
      { reply: { text: RICH_ANSWER } },
      {
        reply: { text: "I order them.", calls: [{ name: "shop__order", input: { item: "flat stones", pieces: 12 } }] },
      },
      {
        reply: {
          text: "I count what there is, then I compare it with the plan.",
          calls: [
            {
              name: "react__plan",
              input: { mode: "new", steps: ["Count the stones", "Compare with what is needed", "Say what is missing"] },
            },
          ],
        },
      },
      // It counts until the server is told to stop.
      { reply: { text: "→ 1. Count the stones", calls: [{ name: "shop__count", input: { ms: 3_600_000 } }] } },
    ]);
    await using at = await browser.open(provided.address);
    await at.say("What does the ridge need?");
    await at.answered();
    places.set("answer", at.page.url());
    await at.page.goto(provided.address);
    await at.say("Order twelve flat stones for the ridge");
    await at.page.getByRole("region", { name: "Approval needed" }).waitFor();
    places.set("consent", at.page.url());
    await at.page.goto(provided.address);
    await at.say("Count the stones and tell me whether they will do");
    await at.page.getByText(/of 40 shelves/).waitFor();
    places.set("working", at.page.url());
  }

  /** How a page gets into each of them. */
  const states: Readonly<Record<string, (at: TestPage, look: (typeof LOOKS)[number]) => Promise<void>>> = {
    "first-run": async (at) => {
      await at.page.goto(offline.address);
      await at.page.getByText("No model is configured").waitFor();
    },
    report: async (at) => {
      await at.page.goto(places.get("report") ?? "");
      await at.answered();
    },
    work: async (at) => {
      await at.page.goto(places.get("report") ?? "");
      await at.answered();
      await at.page.locator("[data-row=work] button").click();
      await at.page
        .getByRole("button", { name: /Read inspector/ })
        .last()
        .click();
      await at.page.getByRole("region", { name: "web_tools.web_fetch" }).waitFor();
    },
    source: async (at) => {
      await at.page.goto(places.get("report") ?? "");
      await at.answered();
      await at.page.getByRole("button", { name: "Source 1" }).first().click();
      await at.page.getByRole("dialog", { name: "Source 1" }).waitFor();
    },
    file: async (at) => {
      await at.page.goto(places.get("report") ?? "");
      await at.answered();
      await at.page.getByRole("list", { name: "Files" }).getByRole("button", { name: "the-inspector.md" }).click();
      await at.page
        .getByRole("dialog", { name: "the-inspector.md" })
        .getByRole("heading", { name: /^The inspector/ })
        .first()
        .waitFor();
    },
    answer: async (at) => {
      await at.page.goto(places.get("answer") ?? "");
      await at.answered();
      await expect.poll(() => at.page.locator(".katex").count(), SOON).toBe(3);
      await at.page.getByRole("region", { name: "Conversation" }).evaluate((scroller) => scroller.scrollTo(0, 0));
    },
    consent: async (at) => {
      await at.page.goto(places.get("consent") ?? "");
      await at.page.getByRole("region", { name: "Approval needed" }).waitFor();
    },
    working: async (at) => {
      await at.page.goto(places.get("working") ?? "");
      await at.page.getByRole("button", { name: /shop: count/ }).waitFor();
    },
    conversations: async (at, look) => {
      await at.page.goto(places.get("answer") ?? "");
      await at.answered();
      if (look.viewport === PHONE) await at.page.getByRole("button", { name: "Conversations" }).click();
      await at.page.getByRole("link", { name: /flat stones/ }).waitFor();
    },
    shortcuts: async (at) => {
      await at.page.goto(offline.address);
      await at.page.getByRole("textbox", { name: "Message" }).blur();
      await at.page.keyboard.press("?");
      await at.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
    missing: async (at) => {
      await at.page.goto(`${offline.address}/c/not-there`);
      await at.page.getByRole("heading", { name: "There is no such conversation" }).waitFor();
    },
  };

  it("keeps still for those who asked for less motion", async () => {
    await using at = await browser.open(places.get("working") ?? "", { reducedMotion: "reduce" });
    const stone = at.page.locator("[data-row=live] path").first();
    await stone.waitFor();
    expect(await stone.evaluate((path) => getComputedStyle(path).animationDuration)).toBe("0.001s");
  });

  // Two of them hold every colour and every layout; pictures are made of all four, and long runs look at all four.
  const tried = TRIES_ALL ? LOOKS : LOOKS.filter(({ name }) => name === "desktop-light" || name === "phone-dark");

  it.each(tried)("has no accessibility violations in any state: $name", async (look) => {
    const faults: string[] = [];
    // The pages of a look share what the browser has loaded and compiled.
    await using first = await browser.open("about:blank", look);
    for (const [state, enter] of Object.entries(states)) {
      const at = await TestPage.in(first.context);
      await enter(at, look);
      faults.push(...(await at.faults()).map((fault) => `${state}: ${fault}`));
      faults.push(...at.complaints.map((complaint) => `${state}: ${complaint}`));
      await at.keepPicture(`${state}-${look.name}`);
      await at.page.close();
    }
    expect(faults).toEqual([]);
  });
});
