/** Tests fetching pages from a test server, which is allowed for these tests. */
import { readFile } from "node:fs/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { documentFixture } from "@cairn/testkit/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageHandler, PageServer, page } from "../../../test/page-server.ts";
import { PageFetcher, type PageFetcherOptions } from "./page-fetcher.ts";

const PARAGRAPH = "Cairns are piles of stones that mark a trail where there is no path to be seen. ".repeat(4);
const ARTICLE = `<!doctype html><html lang="en"><head><title>Site: Cairns</title>
  <meta property="og:title" content="Cairns"><meta name="author" content="Ada Lovelace">
  <meta property="article:published_time" content="2024-03-01T08:00:00+01:00">
  <meta property="article:modified_time" content="2024-04-02">
  <link rel="canonical" href="/cairns"></head>
  <body><nav><a href="/home">Home</a><a href="/more">More</a></nav>
  <article><h1>Cairns</h1><p>${PARAGRAPH}</p><p>See <a href="../maps?x=1&y=2">the maps</a>.</p>
  <h2>Heights</h2><table><thead><tr><th>Place</th><th>Height</th></tr></thead><tbody><tr><td>Ben Nevis</td><td>1345</td></tr></tbody></table>
  <pre><code class="language-js">const a = 1;\n  b();</code></pre><ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul>
  <script>steal()</script><img src="pic.png" alt="A cairn"></article><footer>Imprint</footer></body></html>`;

const TEXT = "Grüße aus Zürich: naïve façade, 1 € – “quoted”";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let server: PageServer;
const fetchers: PageFetcher[] = [];
let now = Date.parse("2026-02-09T10:00:00Z");

const etagged: PageHandler = (request, answer) => {
  if (request.headers["if-none-match"] === '"v1"') answer.writeHead(304, { etag: '"v1"' }).end();
  else answer.writeHead(200, { "content-type": "text/plain", etag: '"v1"' }).end("first version");
};
const dated: PageHandler = (request, answer) => {
  const since = request.headers["if-modified-since"];
  const date = "Mon, 02 Feb 2026 10:00:00 GMT";
  if (since === date) answer.writeHead(304).end();
  else answer.writeHead(200, { "content-type": "text/plain", "last-modified": date }).end("dated");
};

beforeAll(async () => {
  const latin = Buffer.from("Gr\xfc\xdfe aus Z\xfcrich", "latin1");
  server = await PageServer.start({
    "/docs/article": page("text/html; charset=utf-8", ARTICLE),
    "/short": page("text/html", "<p>Only <b>this</b>.</p>"),
    "/foreign-canonical": page(
      "text/html",
      `<link rel=canonical href="https://bank.example/login"><p>${PARAGRAPH}</p>`,
    ),
    "/text": page("text/plain; charset=utf-8", TEXT),
    "/json": page("application/json", '{"a":[1,2],"b":"ü"}'),
    "/untyped": (_, answer) => answer.writeHead(200).end("<!DOCTYPE html><p>Untyped</p>"),
    "/picture": page("image/png", PNG),
    "/mislabelled": page("text/html", PNG),
    "/sound": page("audio/mpeg", Buffer.from([0xff, 0xfb, 0, 0])),
    "/binary": page("application/octet-stream", Buffer.from([1, 0, 2, 0, 3])),
    "/latin-header": page("text/html; charset=ISO-8859-1", latin),
    "/latin-meta": page("text/html", Buffer.concat([Buffer.from('<meta charset="windows-1252"><p>'), latin])),
    "/latin-silent": page("text/plain", latin),
    "/utf16": page("text/plain; charset=iso-8859-1", Buffer.from(`\ufeff${TEXT}`, "utf16le")),
    "/sjis": page(
      "text/html",
      Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]),
    ),
    "/unknown-charset": page("text/plain; charset=klingon", TEXT),
    "/broken-utf8": page("text/plain; charset=utf-8", Buffer.from([0x61, 0xff, 0x62])),
    "/gzip": page("text/plain", gzipSync(TEXT), { "content-encoding": "gzip" }),
    "/deflate": page("text/plain", deflateSync(TEXT), { "content-encoding": "deflate" }),
    "/deflate-raw": page("text/plain", deflateRawSync(TEXT), { "content-encoding": "deflate" }),
    "/br": page("text/plain", brotliCompressSync(TEXT), { "content-encoding": "br" }),
    "/zstd": page("text/plain", zstdCompressSync(Buffer.from(TEXT)), { "content-encoding": "zstd" }),
    "/twice": page("text/plain", brotliCompressSync(gzipSync(TEXT)), { "content-encoding": "gzip, br" }),
    "/empty-gzip": page("text/plain", "", { "content-encoding": "gzip" }),
    "/not-gzip": page("text/plain", "plain after all", { "content-encoding": "gzip" }),
    "/cut-gzip": page("text/plain", gzipSync(TEXT.repeat(50)).subarray(0, 40), { "content-encoding": "gzip" }),
    "/strange": page("text/plain", "x", { "content-encoding": "compress" }),
    "/redirect": (_, answer) => answer.writeHead(301, { location: "docs/article" }).end(),
    // The header of a server that does not escape: raw bytes of UTF-8.
    "/accents": (_, answer) => answer.writeHead(302, { location: Buffer.from("/grüße").toString("latin1") }).end(),
    "/gr%C3%BC%C3%9Fe": page("text/plain; charset=utf-8", TEXT),
    "/gone": (_, answer) => answer.writeHead(410).end("gone"),
    "/login": (_, answer) => answer.writeHead(401).end(),
    "/busy": (_, answer) => answer.writeHead(503, { "retry-after": "120" }).end(),
    "/etag": etagged,
    "/dated": dated,
    "/no-store": page("text/plain", "secret", { etag: '"x"', "cache-control": "private, no-store" }),
    "/lease.odt": page("application/vnd.oasis.opendocument.text", await readFile(documentFixture("lease.odt"))),
    "/scan.pdf": page("application/pdf", await readFile(documentFixture("scanned.pdf"))),
    "/unasked-304": (_, answer) => answer.writeHead(304).end(),
  });
});
afterAll(async () => {
  await Promise.all(fetchers.map((fetcher) => fetcher.close()));
  await server[Symbol.asyncDispose]();
});

function fetcherOf(options: PageFetcherOptions = {}): PageFetcher {
  const fetcher = new PageFetcher({ allow: "127.0.0.1", manners: { apartMs: 0 }, now: () => now, ...options });
  fetchers.push(fetcher);
  return fetcher;
}
const signal = new AbortController().signal;
let shared: PageFetcher | null = null;
const get = (path: string) => {
  shared ??= fetcherOf();
  return shared.fetch(server.url(path), { signal });
};

describe("a page", () => {
  it("a page that is a document gives its text with its pages, and one without text gives an error", async () => {
    expect((await get("/lease.odt")).text).toMatch(/\n\[page 2\]\n# Deposit\n/);
    await expect(get("/scan.pdf")).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringContaining("The PDF has no text"),
    });
  });

  it("gives its article as markdown, with absolute links, tables and code, and without navigation or scripts", async () => {
    const { text } = await get("/docs/article");
    expect(text).toContain(PARAGRAPH.trim());
    expect(text).toContain(`[the maps](${server.url("/maps?x=1&y=2")})`);
    expect(text).toContain("| Place | Height |\n| --- | --- |\n| Ben Nevis | 1345 |");
    expect(text).toContain("```js\nconst a = 1;\n  b();\n```");
    expect(text).toMatch(/-\s+one\n-\s+two\n\s+-\s+inner/);
    expect(text).toContain(`![A cairn](${server.url("/docs/pic.png")})`);
    expect(text).not.toMatch(/Home|Imprint|steal/);
  });

  it("gives its author, its date and its canonical address", async () => {
    expect(await get("/docs/article")).toMatchObject({
      title: "Cairns",
      author: "Ada Lovelace",
      published: "2024-03-01T07:00:00.000Z",
      modified: "2024-04-02T00:00:00.000Z",
      canonical: server.url("/cairns"),
      language: "en",
      mime: "text/html",
      fetchedAt: "2026-02-09T10:00:00.000Z",
    });
  });

  it("cannot claim to be a page of another host", async () => {
    expect((await get("/foreign-canonical")).canonical).toBeUndefined();
  });

  it("a page that is short is returned whole", async () => {
    expect((await get("/short")).text).toBe("Only **this**.");
  });

  it("without a type is recognised by its content", async () => {
    expect((await get("/untyped")).text).toBe("Untyped");
  });

  it("has the address that its redirects led to", async () => {
    expect(await get("/redirect")).toMatchObject({ url: server.url("/docs/article"), title: "Cairns" });
    expect(await get("/accents")).toMatchObject({ url: server.url("/gr%C3%BC%C3%9Fe"), text: TEXT });
  });
});

describe("other documents", () => {
  it("JSON is indented, and text stays unchanged", async () => {
    expect((await get("/json")).text).toBe('{\n  "a": [\n    1,\n    2\n  ],\n  "b": "ü"\n}');
    expect((await get("/text")).text).toBe(TEXT);
  });

  it("a picture is returned as bytes, whatever type the server gives", async () => {
    for (const path of ["/picture", "/mislabelled"]) {
      const { image, text } = await get(path);
      expect(image?.mime).toBe("image/png");
      expect(Buffer.compare(image?.bytes ?? new Uint8Array(), PNG)).toBe(0);
      expect(text).toBe("");
    }
  });

  it("content that is not text is refused by its type", async () => {
    await expect(get("/sound")).rejects.toMatchObject({
      code: "unsupported_type",
      message: expect.stringContaining("audio/mpeg"),
    });
    await expect(get("/binary")).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

describe("charsets", () => {
  it.each([
    ["/latin-header", "Grüße aus Zürich"],
    ["/latin-meta", "Grüße aus Zürich"],
    ["/latin-silent", "Grüße aus Zürich"],
    ["/utf16", TEXT],
    ["/sjis", "日本"],
    ["/unknown-charset", TEXT],
    ["/broken-utf8", "a\uFFFDb"],
  ])("%s", async (path, text) => {
    expect((await get(path)).text).toBe(text);
  });
});

describe("packing", () => {
  it.each(["/gzip", "/deflate", "/deflate-raw", "/br", "/zstd", "/twice"])("%s", async (path) => {
    expect((await get(path)).text).toBe(TEXT);
  });

  it("an empty compressed body is empty", async () => {
    expect((await get("/empty-gzip")).text).toBe("");
  });

  it.each(["/not-gzip", "/cut-gzip", "/strange"])("%s gives a readable error", async (path) => {
    await expect(get(path)).rejects.toMatchObject({
      code: "bad_encoding",
      message: expect.stringContaining("cannot be decompressed"),
    });
  });
});

describe("refusals", () => {
  it.each([
    ["/gone", "http_status", /status 410/],
    ["/nowhere", "http_status", /status 404/],
    ["/login", "http_status", /requires a login/],
    ["/unasked-304", "bad_answer", /304 Not Modified/],
  ])("%s", async (path, code, message) => {
    await expect(get(path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("a host that does not answer", async () => {
    const fetcher = fetcherOf({ allow: "127.0.0.1,nowhere.invalid" });
    await expect(fetcher.fetch("http://127.0.0.1:1/", { signal })).rejects.toMatchObject({ code: "host_unreachable" });
    await expect(fetcher.fetch("http://nowhere.invalid/", { signal })).rejects.toMatchObject({
      code: "host_not_found",
    });
  });

  it("a cancelled fetch ends with the reason of the cancellation", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const waiting = fetcherOf().fetch(server.url("/text"), { signal: stop.signal });
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe("fetching again", () => {
  it.each(["/etag", "/dated"])("%s: an unchanged page is not sent again", async (path) => {
    const fetcher = fetcherOf();
    const first = await fetcher.fetch(server.url(path), { signal });
    now += 60_000;
    const second = await fetcher.fetch(server.url(path), { signal });
    // The page does not say that it was cached, because another conversation may have fetched it first.
    expect(second).toEqual({ ...first, fetchedAt: new Date(now).toISOString() });
    expect(server.requests.at(-1)?.headers).toMatchObject(
      path === "/etag" ? { "if-none-match": '"v1"' } : { "if-modified-since": expect.any(String) },
    );
  });

  it("a response marked no-store is not stored", async () => {
    const fetcher = fetcherOf();
    for (let nth = 0; nth < 2; nth++) await fetcher.fetch(server.url("/no-store"), { signal });
    expect(server.requests.at(-1)?.headers["if-none-match"]).toBeUndefined();
  });
});

describe("politeness", () => {
  it("a host gets at most two requests at a time, however many pages are requested", async () => {
    let [open, most] = [0, 0];
    await using slow = await PageServer.start({
      "/": (_, answer) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          answer.writeHead(200, { "content-type": "text/plain" }).end("x");
        }, 30);
      },
    });
    const fetcher = fetcherOf();
    await Promise.all(Array.from({ length: 8 }, (_, n) => fetcher.fetch(slow.url(`/?${n}`), { signal })));
    expect(most).toBe(2);
  });

  it("a host that asked for a pause gets no request until it is over", async () => {
    const fetcher = fetcherOf();
    await expect(fetcher.fetch(server.url("/busy"), { signal })).rejects.toMatchObject({ code: "http_status" });
    const asked = server.requests.length;
    await expect(fetcher.fetch(server.url("/text"), { signal })).rejects.toMatchObject({
      code: "host_asked_to_wait",
      message: expect.stringContaining("120 s"),
    });
    expect(server.requests.length).toBe(asked);
    now += 121_000;
    expect((await fetcher.fetch(server.url("/text"), { signal })).text).toBe(TEXT);
  });

  it("a request identifies its client", async () => {
    await get("/text");
    expect(server.requests.at(-1)?.headers["user-agent"]).toMatch(/^Cairn\//);
    expect(server.requests.at(-1)?.headers.cookie).toBeUndefined();
  });
});
