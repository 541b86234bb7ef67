/** A browser without a network: requests of a page to other addresses are never sent. */
import { createServer } from "node:http";
import { findCommand } from "@cairn/testkit/system-package";
import { CairnError } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pdfLinks, pdfPages, pdfWords } from "../../test/read-back.ts";
import { ChromiumRenderer } from "./chromium-renderer.ts";
import { DEFAULT_OPTIONS, type DocumentOptions, type DocumentTarget } from "./renderer/document-renderer.ts";

const browser = findCommand("chromium-headless-shell");
const renderer = new ChromiumRenderer();
const hits: string[] = [];
const canary = createServer((request, response) => {
  hits.push(request.url ?? "");
  response.end("canary");
});
let origin = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  const address = canary.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(async () => {
  await renderer.close();
  await new Promise((resolve) => canary.close(resolve));
});

function make(content: string, options: Partial<DocumentOptions> = {}, target: DocumentTarget = "pdf", by = renderer) {
  const supply = { image: async () => null, source: async () => null };
  const request = { target, format: "html" as const, content, options: { ...DEFAULT_OPTIONS, ...options } };
  return by.render(request, supply, new AbortController().signal);
}

describe.skipIf(browser.path === null)("Chromium", () => {
  it("requests nothing outside the page, and runs no script, whatever the page tries", async () => {
    // The control: a page with network access reaches the canary.
    expect(await (await fetch(`${origin}/control`)).text()).toBe("canary");
    expect(hits.splice(0)).toEqual(["/control"]);
    const tries = [
      `<img src="${origin}/img">`,
      `<img srcset="${origin}/srcset 2x">`,
      `<link rel="stylesheet" href="${origin}/link"><link rel="preload" as="image" href="${origin}/preload">`,
      `<style>@import url(${origin}/import); body { background: url(${origin}/background) } @font-face { font-family: x; src: url(${origin}/font) } p { font-family: x; list-style: url("${origin}/list") }</style>`,
      `<iframe src="${origin}/iframe"></iframe><iframe src="file:///etc/passwd"></iframe><object data="${origin}/object"></object><embed src="${origin}/embed">`,
      `<svg><image href="${origin}/svg"/><use href="${origin}/use#a"/><feImage href="${origin}/fe"/></svg>`,
      `<script src="${origin}/script"></script><script>document.body.textContent = "scripted"</script>`,
      `<body onload="fetch('${origin}/onload')"><video src="${origin}/video" autoplay></video><audio src="${origin}/audio" autoplay></audio>`,
      `<meta http-equiv="refresh" content="0;url=${origin}/refresh"><base href="${origin}/base/"><p style="background:url(${origin}/inline)">Text</p>`,
      `<img src="file:///etc/hostname"><p>Content stays</p>`,
    ];
    const document = await make(tries.join("\n"));
    const text = (await pdfPages(document.bytes)).join(" ");
    expect(text).toContain("Content stays");
    expect(text).not.toMatch(/scripted|root:|canary/);
    expect(hits).toEqual([]);
  });

  it("shows the requested title, subtitle and contents, in the page's language", async () => {
    const options = { title: "The title", author: "An author", date: "Today", toc: true, language: "de" };
    const body = '<p style="color:red">Opening</p><h2>First part</h2><p>Text</p><h2 id="own">Second part</h2>';
    const pages = await pdfPages((await make(body, options)).bytes);
    const [first = "", second = ""] = pages.map((page) => page.replace(/\s+/g, " "));
    expect(first).toMatch(/The title An author · Today Inhalt First part Second part/);
    expect(second).toContain("Opening First part Text Second part");
    expect(second).toMatch(/The title 2 \/ 2$/);
    // A heading that the page already has stays its title.
    const own = (await pdfPages((await make(`<h1>Own</h1>${body}`, { ...options, toc: false })).bytes)).join(" ");
    expect(own.replace(/\s+/g, " ")).toMatch(/^Own An author · Today Opening/);
  });

  it("sets right-to-left text by its first letter, and keeps only links with a target", async () => {
    const content =
      '<p>شكرا جزيلا</p><p>Left <a href="beside.html">a</a> <a href="file:///etc/passwd">b</a> <a href="https://example.org/c">c</a></p>';
    const { bytes } = await make(content);
    const words = await pdfWords(bytes);
    const arabic = words.find(({ text }) => /\p{Script=Arabic}/u.test(text));
    expect(arabic?.x).toBeGreaterThan(400);
    expect(await pdfLinks(bytes)).toEqual(["https://example.org/c"]);
  });

  it("styles a page with inline styles, and leaves one with a style sheet unchanged", async () => {
    const size = async (content: string) => {
      const words = await pdfWords((await make(content)).bytes);
      return words.find(({ text }) => text.includes("Word"))?.x ?? 0;
    };
    const bare = await size("<ul><li>Word</li></ul>");
    expect(await size('<p style="color:red">x</p><ul><li>Word</li></ul>')).toBe(bare);
    expect(await size("<style>li { margin-left: 50px }</style><ul><li>Word</li></ul>")).toBeGreaterThan(bare + 20);
  });

  it("keeps wide tables and long words inside the page", async () => {
    const cells = (tag: string) => Array.from({ length: 26 }, (_, at) => `<${tag}>Column ${at}</${tag}>`).join("");
    const { bytes } = await make(
      `<table><tr>${cells("th")}</tr><tr>${cells("td")}</tr></table><p>${"long".repeat(80)}</p><table><tr><td>${"cell".repeat(60)}</td><td>x</td></tr></table>`,
    );
    const words = await pdfWords(bytes);
    expect(words.filter(({ x, width, pageWidth }) => x + width > pageWidth - 50).map(({ text }) => text)).toEqual([]);
  });

  it("releases a waiting call when it is cancelled", async () => {
    const one = new ChromiumRenderer({ pages: 1 });
    try {
      const start = (content: string, signal = new AbortController().signal, onAsk = () => undefined) => {
        const image = async () => {
          onAsk();
          return null;
        };
        const supply = { image, source: async () => null };
        return one.render({ target: "pdf", format: "html", content, options: DEFAULT_OPTIONS }, supply, signal);
      };
      const order: string[] = [];
      const long = start(`<p>${"word ".repeat(60_000)}</p>`).then(() => order.push("long"));
      const controller = new AbortController();
      // The document asks for its pictures just before it waits for the browser.
      const onAsk = () => void setTimeout(() => controller.abort(new Error("enough")), 300);
      const waiting = start('<p>x <img src="a.png"></p>', controller.signal, onAsk).catch(() =>
        order.push("cancelled"),
      );
      await Promise.all([long, waiting]);
      expect(order).toEqual(["cancelled", "long"]);
      expect((await start("<p>again</p>")).pages).toBe(1);
    } finally {
      await one.close();
    }
  });

  it("prints pages of the requested size, or of the size in the page", async () => {
    const box = async (content: string, options: Partial<DocumentOptions>) => {
      const { bytes } = await make(content, options);
      const [, width, height] =
        /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(Buffer.from(bytes).toString("latin1")) ?? [];
      return [Math.round(Number(width)), Math.round(Number(height))];
    };
    expect(await box("<p>x</p>", { pageSize: "letter", landscape: true })).toEqual([792, 612]);
    expect(await box("<style>@page { size: 300pt 400pt }</style><p>x</p>", {})).toEqual([300, 400]);
  });

  it("cuts a picture of an endless page, and says so", async () => {
    const document = await make(`<div style="height:60000px;background:#eee">tall</div>`, { width: 400 }, "png");
    expect(document.remarks).toEqual([expect.stringContaining("too long")]);
    expect(Buffer.from(document.bytes).readUInt32BE(20)).toBeLessThanOrEqual(16_000);
  });
});

describe("without Chromium", () => {
  it("says what to install", async () => {
    const none = new ChromiumRenderer({ executable: "/nowhere/chromium" });
    const error = await make("<p>x</p>", {}, "pdf", none).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(CairnError.is(error) && [error.code, error.message]).toEqual([
      "renderer_missing",
      expect.stringContaining("apt-get install"),
    ]);
    expect(await none.describe()).toMatchObject({ ok: false });
  });
});
