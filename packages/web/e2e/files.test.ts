/**
 * Tests files: previews of every kind, versions and the changes between them, and downloads; with and without a token.
 */

import { createHash } from "node:crypto";
import { onePagePdf } from "@cairn/testkit/pdf";
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PHONE, SOON, TestBrowser, type TestPage } from "./browser.ts";
import { ONE_PIXEL } from "./sample-files.ts";

const chromium = findBrowser();
const TOKEN = "cairn_a-token-for-this-test";

const FILES = [
  { name: "map.pdf", mimeType: "application/pdf", buffer: onePagePdf(["The way to Carrick Law"], 28) },
  { name: "dot.png", mimeType: "image/png", buffer: ONE_PIXEL },
  {
    name: "stones.csv",
    mimeType: "text/csv",
    buffer: Buffer.from('cairn,needs\n17,"a cap stone, soon"\n40,everything\n'),
  },
  {
    name: "build.py",
    mimeType: "text/x-python",
    buffer: Buffer.from("def build(stones):\n    return sorted(stones)\n"),
  },
];

describe.skipIf(chromium.path === null)("files", () => {
  let bench: AppBench;
  let guarded: AppBench;
  let browser: TestBrowser;
  beforeAll(async () => {
    const entry = {
      sha256: createHash("sha256").update(TOKEN).digest("hex"),
      tenant: "acme",
      project: "site",
      user: "ada",
    };
    bench = await AppBench.open({ model: "simulated" });
    guarded = await AppBench.open({ model: "simulated", env: { CAIRN_TOKENS: JSON.stringify([entry]) } });
    browser = await TestBrowser.launch(chromium.path ?? "");
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
    await guarded[Symbol.asyncDispose]();
  });

  async function showAll(at: TestPage, simulator: AppBench["simulator"]): Promise<void> {
    const { page } = at;
    simulator.script([{ reply: { text: "I have them." } }]);
    await page.getByLabel("Files to attach").setInputFiles(FILES);
    await at.say("Keep these");
    await at.answered();
    const close = () => page.keyboard.press("Escape");
    const pdf = await at.openAttachment("map.pdf");
    await pdf.getByText("The way to Carrick Law").waitFor({ state: "attached" });
    await at.keepPicture("pdf");
    await close();
    const image = await at.openAttachment("dot.png");
    await expect
      .poll(
        () => image.getByRole("img", { name: "dot.png" }).evaluate((img) => (img as HTMLImageElement).naturalWidth),
        SOON,
      )
      .toBe(1);
    await close();
    const table = await at.openAttachment("stones.csv");
    await table.getByRole("cell", { name: "a cap stone, soon" }).waitFor();
    await close();
    const code = await at.openAttachment("build.py");
    await code.locator(".hljs-keyword", { hasText: "def" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      code.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("build.py");
    await close();
    expect(at.complaints).toEqual([]);
  }

  it("shows PDF pages, pictures, tables and code, and downloads them", async () => {
    await using at = await browser.open(bench.address);
    await showAll(at, bench.simulator);
  });

  it("asks for a token if the server requires one, refuses a wrong one, and then shows all files", async () => {
    await using at = await browser.open(guarded.address);
    const { page } = at;
    await page.getByLabel("Your token").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    expect(await at.faults()).toEqual([]);
    await at.keepPicture("sign-in");
    await page.getByLabel("Your token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "What shall we look into?" }).waitFor();
    await showAll(at, guarded.simulator);
    // If the token was revoked, the page must not say that the server is unreachable.
    await page.route("**/api/**", (route) => route.fulfill({ status: 401, body: "{}" }));
    await page.getByRole("searchbox").fill("keep");
    await page.getByLabel("Your token").waitFor();
    await page.unroute("**/api/**");
    await page.getByLabel("Your token").fill(TOKEN);
    await page.getByRole("button", { name: "Sign in" }).click();
    await at.answered();
  });

  it("draws a diagram in the colours of the app, and shows the source of one that cannot be drawn, with the reason", async () => {
    const file = (name: string, text: string) => ({
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.from(text),
    });
    bench.simulator.script([{ reply: { text: "I have them." } }]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    await page
      .getByLabel("Files to attach")
      .setInputFiles([
        file("order.mmd", "sequenceDiagram\n  Ada->>Cairn: Which stone?\n  Cairn-->>Ada: The flat one"),
        file("broken.mermaid", "flowchart LR\n  A -->"),
        file("endless.mmd", `flowchart LR\n${"  A --> B\n".repeat(6_000)}`),
      ]);
    await at.say("Keep these");
    await at.answered();
    const order = await at.openAttachment("order.mmd");
    const drawn = order.getByRole("img", { name: "Diagram of order.mmd" });
    const light = await drawn.getAttribute("src");
    expect(decodeURIComponent(light ?? "")).toContain("Which stone?");
    await expect.poll(() => drawn.evaluate((img) => (img as HTMLImageElement).naturalWidth), SOON).toBeGreaterThan(200);
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => drawn.getAttribute("src"), SOON).not.toBe(light);
    await order.getByRole("tab", { name: "Source" }).click();
    await order.getByText("Ada->>Cairn: Which stone?").waitFor();
    await page.keyboard.press("Escape");
    for (const [name, reason] of [
      ["broken.mermaid", "Parse error on line 3"],
      ["endless.mmd", "it has more than 50,000 characters"],
    ] as const) {
      const viewer = await at.openAttachment(name);
      await viewer
        .getByRole("status")
        .filter({ hasText: `so its source is shown: ${reason}.` })
        .waitFor();
      await viewer.getByText("flowchart LR").waitFor();
      await page.keyboard.press("Escape");
    }
    await page.route("**/preview/diagram", (route) => route.fulfill({ contentType: "text/html", body: "silent" }));
    await page.clock.install();
    const silent = await at.openAttachment("order.mmd");
    await silent.locator("iframe").waitFor({ state: "attached" });
    await page.clock.fastForward(20_000);
    await silent.getByText("drawing it took too long").waitFor();
    expect(at.complaints).toEqual([]);
  });

  it("keeps the conversation on the page when a preview cannot be loaded", async () => {
    await using at = await browser.open(bench.address);
    const { page } = at;
    await page.route("**/assets/pdf-pages*", (route) => route.abort());
    bench.simulator.script([{ reply: { text: "I have it." } }]);
    await page.getByLabel("Files to attach").setInputFiles(FILES.slice(0, 1));
    await at.say("Keep this");
    await at.answered();
    const viewer = await at.openAttachment("map.pdf");
    await viewer.getByRole("alert").getByText("The file cannot be shown here.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("article", { name: "Answer 1" }).waitFor();
  });

  it("keeps the versions of a file, and shows what changed", async () => {
    const write = (content: string) => ({
      calls: [{ name: "react__write", input: { path: "files/list.md", channel: "canvas", kind: "file", content } }],
    });
    bench.simulator.script([
      { reply: write("# Repairs\n\n- Cairn 4\n- Cairn 9\n") },
      { reply: write("# Repairs\n\n- Cairn 4\n- Cairn 9\n- Cairn 17\n") },
      { reply: { text: "The list is written." } },
    ]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    await at.say("Write the list of repairs");
    await at.answered();
    await page.getByRole("list", { name: "Files" }).getByText("version 2").waitFor();
    await page.getByRole("list", { name: "Files" }).getByRole("button", { name: "list.md" }).click();
    const viewer = page.getByRole("dialog", { name: "list.md" });
    await viewer.getByRole("listitem").getByText("Cairn 17").waitFor();
    await viewer.getByText("list.md · Turn 1: Write the list of repairs").waitFor();
    await viewer.getByRole("tab", { name: "Changes" }).click();
    await viewer.getByText("added: - Cairn 17").waitFor();
    await at.keepPicture("changes");
    expect(await at.faults()).toEqual([]);
    await viewer.getByRole("combobox", { name: "Version" }).selectOption({ label: "Version 1" });
    await viewer.getByRole("tab", { name: "Preview" }).click();
    await expect.poll(() => viewer.getByText("Cairn 17").count(), SOON).toBe(0);
  });

  it("opens menus inside the drawer of a phone, above it", async () => {
    bench.simulator.script([{ reply: { text: "Hello." } }]);
    await using at = await browser.open(bench.address, { viewport: PHONE, hasTouch: true, isMobile: true });
    const { page } = at;
    // An on-screen keyboard has no Shift+Enter, so Enter begins a new line and only the button sends.
    await page.getByRole("textbox", { name: "Message" }).fill("Hello from a phone");
    await page.keyboard.press("Enter");
    await page.keyboard.type("and a second line");
    await page.getByRole("button", { name: "Send", exact: true }).tap();
    await at.answered();
    await page.getByText(/^Hello from a phone\nand a second line$/).waitFor();
    await page.getByRole("button", { name: "Conversations" }).tap();
    await page.getByRole("button", { name: /^More for Hello from a phone/ }).tap();
    await page.getByRole("menuitem", { name: "Rename" }).tap();
    await page.getByRole("textbox", { name: "Title" }).fill("By phone");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^By phone/ }).tap();
    await page.getByRole("heading", { name: "By phone" }).waitFor();
    // The search text stays in its field when the drawer is closed.
    await page.getByRole("button", { name: "Conversations" }).tap();
    await page.getByRole("searchbox").fill("by phone");
    await expect.poll(() => page.getByRole("navigation").locator("ul").getByRole("link").count(), SOON).toBe(1);
    await page.getByRole("link", { name: /^By phone/ }).tap();
    await page.getByRole("button", { name: "Conversations" }).tap();
    expect(await page.getByRole("searchbox").inputValue()).toBe("by phone");
  });

  it("says how much of an upload is done", async () => {
    bench.simulator.script([{ reply: { text: "That was large." } }]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
    await session.send("Network.emulateNetworkConditions", slow);
    await page
      .getByLabel("Files to attach")
      .setInputFiles({ name: "large.txt", mimeType: "text/plain", buffer: Buffer.alloc(900_000, "a stone ") });
    await at.say("Here");
    await page.getByRole("progressbar", { name: "Upload" }).waitFor();
    await expect
      .poll(() => page.getByRole("progressbar", { name: "Upload" }).getAttribute("value"), { ...SOON, interval: 50 })
      .toMatch(/^0\.[1-9]/);
    await at.answered();
  });
});
