/** A browser without a network: what a page asks for outside itself is never asked of anybody. */
import { createServer } from "node:http";
import { findCommand } from "@cairn/testkit/system-package";
import { CairnError } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChromiumRenderer } from "./chromium-renderer.ts";
import { DEFAULT_OPTIONS, type DocumentOptions, type DocumentTarget } from "./document-renderer.ts";
import { pdfPages } from "./read-back.ts";

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
  it("is asked for nothing outside the page, and runs no script, whatever the page tries", async () => {
    // The control: whoever may use the network reaches the canary.
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

  it("prints pages of the size asked for, or of the size the page says itself", async () => {
    const box = async (content: string, options: Partial<DocumentOptions>) => {
      const { bytes } = await make(content, options);
      const [, width, height] =
        /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(Buffer.from(bytes).toString("latin1")) ?? [];
      return [Math.round(Number(width)), Math.round(Number(height))];
    };
    expect(await box("<p>x</p>", { pageSize: "letter", landscape: true })).toEqual([792, 612]);
    expect(await box("<style>@page { size: 300pt 400pt }</style><p>x</p>", {})).toEqual([300, 400]);
  });

  it("cuts a picture of a page without end, and says so", async () => {
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
