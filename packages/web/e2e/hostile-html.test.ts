/** Tests a hostile HTML file or diagram in the preview: it reaches neither the app nor the network. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { findBrowser } from "@cairn/testkit/system-package";
import { AppBench } from "@cairn/testkit/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeAll, SOON, TestBrowser } from "./browser.ts";
import { hostileDiagram, hostileHtml } from "./hostile.ts";

const chromium = findBrowser();

describe.skipIf(chromium.path === null)("a hostile file", () => {
  let bench: AppBench;
  let browser: TestBrowser;
  let other: Server;
  let visits = 0;
  beforeAll(async () => {
    bench = await AppBench.open({ model: "simulated" });
    browser = await TestBrowser.launch(chromium.path ?? "");
    // Counts connections and not requests, because a connection alone tells a server that the file was opened.
    other = createServer((_, response) => response.end("visited")).on("connection", () => visits++);
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await closeAll(browser, bench);
    other.close();
  });

  it("of HTML is drawn without scripts, and reaches neither the app's origin nor the network", async () => {
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    bench.simulator.script([{ reply: { text: "I have it." } }]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    const buffer = Buffer.from(hostileHtml(address));
    await page.getByLabel("Files to attach").setInputFiles({ name: "report.html", mimeType: "text/html", buffer });
    await at.say("Keep this");
    await at.answered();
    const asked: string[] = [];
    // A request that the policy refuses is reported, and gets no response.
    page.on("response", (response) => asked.push(response.url()));
    const viewer = await at.openAttachment("report.html");
    const outer = viewer.frameLocator("iframe");
    const inner = outer.frameLocator("iframe");
    await inner.getByRole("heading", { name: "A hostile report" }).waitFor();
    // The file's own styles apply, so it looks as its author intended.
    const heading = inner.getByRole("heading", { name: "A hostile report" });
    expect(await heading.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(1, 2, 3)");
    for (const name of ["Send", "Leave", "Open", "App"]) await inner.getByText(name, { exact: true }).click();
    await inner.getByText("A styled line").hover();
    await expect.poll(() => at.faults(), SOON).toEqual([]);
    expect(await outer.locator("body").evaluate(() => self.origin)).toBe("null");
    expect(await heading.evaluate(() => self.origin)).toBe("null");
    for (const frame of page.frames())
      expect(await frame.evaluate(() => Reflect.get(globalThis, "wasHarmed") ?? null)).toBeNull();
    expect(page.context().pages()).toHaveLength(1);
    expect(new URL(page.url()).origin).toBe(bench.address);
    const own = /^\/(?:assets\/|preview$|api\/conversations\/[^/?]+\/files)/;
    expect(asked.map((url) => new URL(url).pathname).filter((path) => !own.test(path))).toEqual([]);
    expect(asked.filter((url) => new URL(url).origin !== bench.address)).toEqual([]);
    expect(visits).toBe(0);
    await viewer.getByRole("tab", { name: "Source" }).click();
    await viewer.getByText("<title>Report</title>").waitFor();
    // The browser reports the refused requests and no other errors.
    const refusals = /Content Security Policy|is sandboxed/;
    expect(at.complaints.filter((text) => !refusals.test(text))).toEqual([]);
  });

  it("of Mermaid becomes a picture, and reaches neither the app's origin nor the network", async () => {
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    bench.simulator.script([{ reply: { text: "I have them." } }]);
    await using at = await browser.open(bench.address);
    const { page } = at;
    const pictured = `flowchart LR\n  A@{ img: "${address}/img.png", label: "A", h: 60, w: 60 } --> B`;
    await page
      .getByLabel("Files to attach")
      .setInputFiles([file("flow.mmd", hostileDiagram(address)), file("pictured.mmd", pictured)]);
    await at.say("Keep these");
    await at.answered();
    // The drawing frame is removed after it has drawn, so any harm is reported at the time that it happens.
    await page.addInitScript(() => {
      const report = () => console.error(`harmed ${self.origin}`);
      Object.defineProperty(globalThis, "wasHarmed", { set: report });
      globalThis.alert = report;
    });
    const asked: string[] = [];
    page.on("response", (response) => asked.push(response.url()));
    let frames = 0;
    page.on("frameattached", () => frames++);
    const flow = await at.openAttachment("flow.mmd");
    const drawn = flow.getByRole("img", { name: "A hostile flow. It tries everything" });
    await drawn.click();
    expect(await drawn.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(300);
    expect(await drawn.getAttribute("src")).toMatch(/^data:image\/svg\+xml/);
    await flow.getByRole("tab", { name: "Source" }).click();
    await flow.getByText("accTitle: A hostile flow").waitFor();
    await page.keyboard.press("Escape");
    const refused = await at.openAttachment("pictured.mmd");
    await refused.getByRole("status").filter({ hasText: "its source is shown" }).waitFor();
    expect(frames).toBe(2);
    expect(page.frames()).toHaveLength(1);
    expect(page.context().pages()).toHaveLength(1);
    expect(new URL(page.url()).origin).toBe(bench.address);
    const own = /^\/(?:assets\/|preview\/diagram$|diagram\/mermaid\.js$|api\/conversations\/[^/?]+\/files)/;
    const foreign = asked.filter((url) => !url.startsWith("data:") && !own.test(new URL(url).pathname));
    expect(foreign).toEqual([]);
    expect(asked.filter((url) => !url.startsWith("data:") && new URL(url).origin !== bench.address)).toEqual([]);
    expect(visits).toBe(0);
    const refusals = /Content Security Policy|is sandboxed/;
    expect(at.complaints.filter((text) => !refusals.test(text))).toEqual([]);
  });
});
