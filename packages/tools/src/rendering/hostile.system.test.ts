/** Hostile documents: the document process may crash, the server continues, and the error is reported. */
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { gradientPng } from "@cairn/testkit/documents";
import { CairnError } from "@cairn/timeline";
import { afterAll, describe, expect, it } from "vitest";
import { pdfPages } from "../../test/read-back.ts";
import { EmbeddedRenderer } from "./embedded-renderer.ts";
import { DEFAULT_OPTIONS, type DocumentTarget, type RenderedDocument } from "./renderer/document-renderer.ts";

const patient = new EmbeddedRenderer();
const hurried = new EmbeddedRenderer({ time: 8_000, memory: 400 * 1024 * 1024 });
afterAll(async () => {
  await patient.close();
  await hurried.close();
});

function make(
  content: string,
  images: Readonly<Record<string, Uint8Array>> = {},
  target: DocumentTarget = "pdf",
  renderer = patient,
): Promise<RenderedDocument> {
  const supply = { image: async (src: string) => images[src] ?? null, source: async () => null };
  return renderer.render(
    { target, format: "markdown", content, options: DEFAULT_OPTIONS },
    supply,
    new AbortController().signal,
  );
}

const textOf = async ({ bytes }: RenderedDocument) => (await pdfPages(bytes)).join("\n").replace(/\s+/g, " ");

describe("nesting", () => {
  it.each([
    ["100,000 quotes", `${">".repeat(100_000)} deep`],
    ["quotes with spaces", `${"> ".repeat(50_000)}deep`],
    ["lists", `${Array.from({ length: 60 }, (_, at) => `${"  ".repeat(at)}- level`).join("\n")}\n\ndeep`],
    ["emphasis", `${"**a *b ".repeat(300)}deep`],
    ["HTML", `${"<div>".repeat(300)}deep${"</div>".repeat(300)}`],
  ])("of %s is flattened, and the text is kept", async (_, content) => {
    expect(await textOf(await make(content))).toContain("deep");
  });

  it("beyond the limit is refused, and the next document is made", async () => {
    const content = `${"<div>".repeat(40_000)}deep`;
    const made = await make(content, {}, "docx", hurried).then(
      () => "made",
      (error: unknown) => (CairnError.is(error) ? error.code : error),
    );
    expect(["made", "document_too_complex"]).toContain(made);
    expect(await textOf(await make("Still here", {}, "pdf", hurried))).toContain("Still here");
  });
});

describe("time and memory", () => {
  it("are limited: the process is killed, the server continues, and the next document is made", async () => {
    let ticks = 0;
    const clock = setInterval(() => ticks++, 20);
    const huge = `| a | b |\n|--|--|\n${"| cell | cell |\n".repeat(400_000)}`;
    const error = await make(huge, {}, "pdf", hurried).then(
      () => null,
      (reason: unknown) => reason,
    );
    clearInterval(clock);
    expect(CairnError.is(error) && error.code).toBe("document_too_complex");
    expect(ticks).toBeGreaterThan(10);
    expect(await textOf(await make("Still here", {}, "pdf", hurried))).toContain("Still here");
  });

  it("suffice for a table of thousands of rows", async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => `| ${at} | value ${at} |`).join("\n");
    const document = await make(`| n | value |\n|--:|--|\n${rows}`);
    expect(document.pages).toBeGreaterThan(20);
    expect(await textOf(document)).toContain("value 1999");
  });
});

describe("the owner of the processes", () => {
  it("exits when it has nothing else to do, and they exit with it", () => {
    const renderer = new URL("./embedded-renderer.ts", import.meta.url).href;
    const options = JSON.stringify(DEFAULT_OPTIONS);
    const program = `import { EmbeddedRenderer } from ${JSON.stringify(renderer)};
      const supply = { image: async () => null, source: async () => null };
      const made = await new EmbeddedRenderer().render({ target: "docx", format: "markdown", content: "Hi", options: ${options} }, supply, new AbortController().signal);
      console.log(made.bytes.length > 1000);`;
    // The timeout is shorter than the time after which an idle process is ended.
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      timeout: 55_000,
    });
    expect([status, stdout.trim()]).toEqual([0, "true"]);
  });
});

describe("pictures", () => {
  const bomb = (width: number, height: number) => {
    const png = Buffer.from(gradientPng(1, 1, [0, 0, 0], [0, 0, 0]));
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    return png;
  };

  it.each([
    ["claims gigapixels", bomb(60_000, 60_000), /too many/],
    ["claims more than it has", bomb(3_000, 3_000), /damaged/],
    ["is no picture", Buffer.from("<!doctype html><p>no"), /no picture|damaged|drawn/],
    ["is empty", Buffer.alloc(0), /empty/],
  ])("one that %s is left out and reported", async (_, bytes, reason) => {
    const document = await make("Before\n\n![x](bad.png)\n\nAfter", { "bad.png": bytes });
    expect(document.badImages).toEqual([{ src: "bad.png", reason: expect.stringMatching(reason) }]);
    expect(await textOf(document)).toMatch(/Before.*After/);
  });

  it("an SVG reads no file and loads nothing", async () => {
    const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="50" onload="x()">
      <image xlink:href="file:///etc/passwd" width="9" height="9"/><image href="http://127.0.0.1/x.png" width="9" height="9"/>
      <style>@import url(http://127.0.0.1/x.css); rect { fill: url(http://127.0.0.1/y) }</style><script>x()</script>
      <rect width="100" height="50" fill="#123456"/></svg>`;
    const document = await make("![x](a.svg)", { "a.svg": Buffer.from(svg) });
    expect(document.badImages).toEqual([]);
    expect(Buffer.from(document.bytes).includes("root:")).toBe(false);
  });
});

describe("the network", () => {
  it("is not used by the embedded engine, whatever the content names", async () => {
    const hits: string[] = [];
    const canary = createServer((request, response) => {
      hits.push(request.url ?? "");
      response.end("canary");
    });
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    const address = canary.address();
    const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    try {
      // The control: a page with network access reaches the canary.
      expect(await (await fetch(`${origin}/control`)).text()).toBe("canary");
      expect(hits.splice(0)).toEqual(["/control"]);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${origin}/svg" width="9" height="9"/><rect width="9" height="9"/></svg>`;
      const content = `![x](${origin}/img)\n\n![y](a.svg)\n\n<img src="${origin}/html"><script src="${origin}/script"></script>\n\n[link](${origin}/link) <link rel="stylesheet" href="${origin}/css">\n\n$#import "${origin}/typst"$ Stays`;
      for (const target of ["pdf", "png", "docx", "pptx"] as const) {
        const document = await make(content, { "a.svg": Buffer.from(svg) }, target);
        expect(document.missingImages).toEqual([`${origin}/img`, `${origin}/html`]);
      }
      expect(hits).toEqual([]);
    } finally {
      await new Promise((resolve) => canary.close(resolve));
    }
  });
});

describe("formulas", () => {
  it.each([
    '\\text{" #read("/document.json") "}',
    '\\text{" #import "@preview/cetz:0.3.0" "}',
    '\\operatorname{a" #panic() "}',
    "#panic()",
    "x $ #panic() $",
    "\\std.read(x)",
    "\\undefinedcommand{x}",
    "\\frac{1}{",
    "{".repeat(5_000),
  ])("%s is shown and not executed", async (tex) => {
    const document = await make(`Before\n\n$$\n${tex.replaceAll("$", "")}\n$$\n\nAfter`);
    const text = await textOf(document);
    expect(text).toMatch(/Before.*After/);
    expect(text).not.toContain("sources");
  });
});
