/**
 * Tests every main state of the app, in light and dark colours, at desktop size, at phone size and at 200 %. Axe finds
 * no problem, and the page does not scroll sideways. With CAIRN_SCREENSHOTS=1, a picture of each state is written to
 * `docs/screenshots`.
 */
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench, benchTools } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESKTOP, PHONE, SOON, TestBrowser, type TestPage, TRIES_ALL } from "./browser.ts";
import { RICH_ANSWER } from "./rich-answer.ts";

const chromium = findBrowser();

const LOOKS = [
  { name: "desktop-light", viewport: DESKTOP, colorScheme: "light" },
  { name: "desktop-dark", viewport: DESKTOP, colorScheme: "dark" },
  { name: "phone-light", viewport: PHONE, colorScheme: "light", hasTouch: true, isMobile: true },
  { name: "phone-dark", viewport: PHONE, colorScheme: "dark", hasTouch: true, isMobile: true },
  { name: "zoomed", viewport: { width: DESKTOP.width / 2, height: DESKTOP.height / 2 }, colorScheme: "light" },
] as const;

/** Pictures and long runs use these states at phone size, too. */
const WIDE_IS_ENOUGH = new Set(["reasoning", "page", "right-to-left", "why-bad", "undo"]);
/** The browser's message about a file with styles. The app parses this file but does not show it as a page. */
const REFUSAL = /^Applying inline style violates/;
const PAGE = "<!doctype html><style>h1 { color: teal }</style><h1>Stones</h1><p>They <b>lie</b> there.</p>";
const RIGHT_TO_LEFT =
  "الحجارة **ثابتة** فوق `cairn 4`.\n\n1. الأولى\n2. الثانية\n\n| الجزء | العدد |\n|---|---|\n| القمة | 12 |";

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

  /** Makes conversations for these states, as a user does. */
  async function prepare(): Promise<void> {
    {
      await using at = await browser.open(offline.address);
      await at.page.getByRole("main").getByRole("button", { name: "Write a report" }).click();
      await at.answered();
      places.set("report", at.page.url());
      await at.page.goto(offline.address);
      await at.say("What is 6 * 7?");
      await at.answered();
      await at.page.getByRole("button", { name: "Ask again" }).click();
      await at.page.getByText("2/2").waitFor();
      await at.answered();
      places.set("versions", at.page.url());
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
      // The tool counts until the server stops its turn.
      { reply: { text: "→ 1. Count the stones", calls: [{ name: "shop__count", input: { ms: 3_600_000 } }] } },
      { reply: { calls: [{ name: "shop__deliver", input: {} }] } },
      {
        reply: {
          thinking: "They want a page, so I write one.",
          calls: [{ name: "react__write", input: { path: "files/stones.html", channel: "canvas", content: PAGE } }],
        },
      },
      { reply: { thinking: "It is written.", text: "The page is ready." } },
      { reply: { text: RIGHT_TO_LEFT } },
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
    await at.page.getByRole("textbox", { name: "Message" }).fill("And then the round ones");
    await at.page.keyboard.press("Alt+Enter");
    await at.page.getByText("Starts when this turn ends").waitFor();
    await at.page.goto(provided.address);
    await at.say("Deliver the stones");
    await at.page.getByRole("region", { name: "Question" }).waitFor();
    places.set("question", at.page.url());
    await at.page.goto(provided.address);
    await at.say("Make a page about the stones");
    await at.answered();
    places.set("page", at.page.url());
    await at.page.goto(provided.address);
    await at.say("كيف حال الحجارة على القمة؟");
    await at.answered();
    places.set("right-to-left", at.page.url());
  }

  /** Shows an address. A page that shows the same server goes to the first page and then there, without a load. */
  async function show(at: TestPage, address: string): Promise<void> {
    if (new URL(at.page.url()).origin !== new URL(address).origin) {
      await at.page.goto(address);
      return;
    }
    const go = (to: string) =>
      at.page.evaluate((place) => {
        history.pushState(null, "", place);
        dispatchEvent(new PopStateEvent("popstate"));
      }, to);
    await go("/");
    await at.page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await go(address);
  }

  /** How a page enters each of the states. */
  const states: Readonly<Record<string, (at: TestPage, look: (typeof LOOKS)[number]) => Promise<void>>> = {
    "first-run": async (at) => {
      await at.page.goto(offline.address);
      await at.page.getByText("No model is configured").waitFor();
    },
    report: async (at) => {
      await show(at, places.get("report") ?? "");
      await at.answered();
    },
    work: async (at) => {
      await show(at, places.get("report") ?? "");
      await at.answered();
      await at.page.locator("[data-row=work] button").click();
      await at.page
        .getByRole("button", { name: /Read inspector/ })
        .last()
        .click();
      await at.page.getByRole("region", { name: "web_tools.web_fetch" }).waitFor();
    },
    source: async (at) => {
      await show(at, places.get("report") ?? "");
      await at.answered();
      await at.page
        .getByRole("button", { name: /^Source \d/ })
        .first()
        .click();
      await at.page.getByRole("dialog", { name: /^Source \d/ }).waitFor();
    },
    file: async (at) => {
      await show(at, places.get("report") ?? "");
      await at.answered();
      await at.page.getByRole("list", { name: "Files" }).getByRole("button", { name: "the-inspector.md" }).click();
      await at.page
        .getByRole("dialog", { name: "the-inspector.md" })
        .getByRole("heading", { name: /^The inspector/ })
        .first()
        .waitFor();
    },
    answer: async (at) => {
      await show(at, places.get("answer") ?? "");
      await at.answered();
      await expect.poll(() => at.page.locator(".katex").count(), SOON).toBe(3);
      await at.page.getByRole("region", { name: "Conversation" }).evaluate((scroller) => scroller.scrollTo(0, 0));
    },
    consent: async (at) => {
      await show(at, places.get("consent") ?? "");
      await at.page.getByRole("region", { name: "Approval needed" }).waitFor();
    },
    working: async (at) => {
      await show(at, places.get("working") ?? "");
      await at.page.getByRole("button", { name: /shop: count/ }).waitFor();
    },
    question: async (at) => {
      await show(at, places.get("question") ?? "");
      await at.page.getByRole("region", { name: "Question" }).getByLabel("Street").waitFor();
    },
    reasoning: async (at) => {
      await show(at, places.get("page") ?? "");
      await at.answered();
      await at.page.locator("[data-row=answer]").getByRole("button", { name: "Reasoning" }).click();
      await at.page.locator("[data-row=answer]").getByText("It is written.").waitFor();
    },
    page: async (at) => {
      await show(at, places.get("page") ?? "");
      await at.answered();
      await at.page.getByRole("list", { name: "Files" }).getByRole("button", { name: "stones.html" }).click();
      const frames = at.page.getByRole("dialog", { name: "stones.html" }).frameLocator("iframe").frameLocator("iframe");
      await frames.getByRole("heading", { name: "Stones" }).waitFor();
    },
    "right-to-left": async (at) => {
      await show(at, places.get("right-to-left") ?? "");
      await at.answered();
    },
    versions: async (at) => {
      await show(at, places.get("versions") ?? "");
      await at.answered();
      await at.page.getByText("2/2").waitFor();
    },
    compare: async (at) => {
      await show(at, places.get("versions") ?? "");
      await at.page.getByRole("button", { name: "Compare versions" }).click();
      await at.page.getByRole("dialog").getByText("Cost").nth(1).waitFor();
    },
    "why-bad": async (at) => {
      await show(at, places.get("versions") ?? "");
      await at.answered();
      await at.page.getByRole("button", { name: "Bad answer" }).click();
      await at.page.getByRole("textbox", { name: "What was wrong with it?" }).waitFor();
    },
    undo: async (at) => {
      await show(at, offline.address);
      // On a phone, Enter begins a new line.
      await at.page.getByRole("textbox", { name: "Message" }).fill("Hello");
      await at.page.getByRole("button", { name: "Send" }).click();
      await at.answered();
      await at.page.getByRole("button", { name: "More", exact: true }).click();
      await at.page.getByRole("menuitem", { name: "Delete" }).click();
      await at.page.getByRole("button", { name: "Undo" }).waitFor();
    },
    conversations: async (at, look) => {
      await show(at, places.get("answer") ?? "");
      await at.answered();
      if (look.viewport.width < 768) await at.page.getByRole("button", { name: "Conversations" }).click();
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

  // Two of the four looks contain every colour and every layout. Pictures and long runs use all four.
  const tried = TRIES_ALL ? LOOKS : LOOKS.filter(({ name }) => name === "desktop-light" || name === "phone-dark");

  it.each(tried)("has no accessibility violations in any state, and does not scroll sideways: $name", async (look) => {
    const faults: string[] = [];
    // One page enters all states, so that it starts and compiles the app once.
    await using at = await browser.open("about:blank", look);
    for (const [state, enter] of Object.entries(states)) {
      if (!TRIES_ALL && look.viewport === PHONE && WIDE_IS_ENOUGH.has(state)) continue;
      await enter(at, look);
      faults.push(...(await at.faults()).map((fault) => `${state}: ${fault}`));
      const sideways = await at.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (sideways > 0) faults.push(`${state}: the page scrolls sideways by ${sideways} px`);
      const complaints = at.complaints.splice(0).filter((text) => !REFUSAL.test(text));
      faults.push(...complaints.map((complaint) => `${state}: ${complaint}`));
      if (look.name !== "zoomed") await at.keepPicture(`${state}-${look.name}`);
    }
    expect(faults).toEqual([]);
  });
});
