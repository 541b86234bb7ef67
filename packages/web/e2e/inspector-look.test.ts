/**
 * Tests every main state of the inspector, in light and dark colours, at desktop and phone size. Axe must find no
 * problem. With CAIRN_SCREENSHOTS=1, a picture of each state is written to `docs/screenshots`. One page enters the
 * states one after the other, as a reader does.
 */
import { join } from "node:path";
import { findBrowser } from "@cairn/testkit/system-package";
import type { ReplayedTrace } from "@cairn/testkit/turns";
import { AppBench, playInspectedConversation } from "@cairn/testkit/web";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, PHONE, TestBrowser, TRIES_ALL } from "./browser.ts";

const chromium = findBrowser();
const DESK = { width: 1440, height: 900 };

const LOOKS = [
  { name: "desktop-light", viewport: DESK, colorScheme: "light" },
  { name: "desktop-dark", viewport: DESK, colorScheme: "dark" },
  { name: "phone-light", viewport: PHONE, colorScheme: "light", hasTouch: true, isMobile: true },
  { name: "phone-dark", viewport: PHONE, colorScheme: "dark", hasTouch: true, isMobile: true },
] as const;

interface State {
  readonly name: string;
  readonly path: string;
  readonly enter: (page: Page) => Promise<void>;
}

const STATES: readonly State[] = [
  {
    name: "requests",
    path: "/requests/17",
    enter: async (page) => {
      await page.getByRole("region", { name: "Before and after" }).waitFor();
      await page.getByText("Rebuilt; every hash matches").waitFor();
    },
  },
  {
    name: "undeclared",
    path: "/requests/22",
    enter: (page) => page.getByText("The rebuilt block is the same in both requests.").waitFor(),
  },
  {
    name: "figures",
    path: "/requests/9",
    enter: async (page) => {
      await page.getByRole("button", { name: "Show the figures as a table" }).click();
      await page.getByRole("region", { name: "Before and after" }).waitFor();
    },
  },
  {
    name: "compare",
    path: "/requests/9/compare/8",
    enter: (page) => page.getByText("Both begin with the same").waitFor(),
  },
  {
    name: "context",
    path: "/requests/11",
    enter: async (page) => {
      await page.getByRole("button", { name: /^Go to message/ }).click();
      await page.getByRole("region", { name: "Original" }).getByText("Cairn 60 near").waitFor();
    },
  },
  {
    name: "blocks",
    path: "/blocks",
    enter: (page) =>
      page
        .getByRole("link", { name: /Which cairns need repair/ })
        .last()
        .waitFor(),
  },
  { name: "block", path: "/blocks/4", enter: (page) => page.getByText("A summary replaced this block.").waitFor() },
  {
    name: "sources",
    path: "/sources/1",
    enter: (page) => page.getByRole("region", { name: "Cited in" }).getByRole("link").waitFor(),
  },
  {
    name: "files",
    path: "/files/turn_13/files/repairs.md",
    enter: (page) => page.getByRole("region", { name: "Changes" }).waitFor(),
  },
];

/** These states contain every part of the inspector. Pictures and long runs use all states. */
const ENOUGH = new Set(["requests", "context", "compare", "block"]);

describe.skipIf(chromium.path === null)("the look of the inspector", { timeout: 300_000 }, () => {
  let trace: ReplayedTrace;
  let bench: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    trace = await playInspectedConversation();
    bench = await AppBench.open({ model: "simulated", env: { CAIRN_DATA_DIR: join(trace.folder, ".cairn") } });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(() => closeAll(browser, bench, trace));

  const looks = TRIES_ALL ? LOOKS : LOOKS.filter(({ name }) => name === "desktop-light" || name === "phone-dark");

  it.each(looks)("has no accessibility violations: $name", async (look) => {
    const faults: string[] = [];
    await using at = await browser.open(`${bench.address}/c/trace`, look);
    const { page } = at;
    for (const { name, path, enter } of STATES) {
      if (!TRIES_ALL && look.viewport === PHONE && !ENOUGH.has(name)) continue;
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, `/c/trace/inspect${path}`);
      await enter(page);
      faults.push(...(await at.faults()).map((fault) => `${name}: ${fault}`));
      await page.mouse.move(0, 0);
      await at.keepPicture(`inspector-${name}-${look.name}`);
    }
    faults.push(...at.complaints);
    expect(faults).toEqual([]);
  });
});
