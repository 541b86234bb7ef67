/**
 * Tests hostile pages and files: each ends with a clear error or a readable text, within its limits of time and memory,
 * and without blocking the server's thread.
 */

import type { AddressInfo } from "node:net";
import { createServer as createSocketServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { docxOf, zipOf } from "@cairn/testkit/fixtures";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { PageServer, page } from "../../../test/page-server.ts";
import { Extractor } from "../extract/extractor.ts";
import type { DocumentKind } from "../extract/page.ts";
import { PageFetcher, type PageFetcherOptions } from "./page-fetcher.ts";

const signal = new AbortController().signal;
const fetchers: PageFetcher[] = [];
const extractors: Extractor[] = [];
afterAll(async () => {
  await Promise.all([...fetchers, ...extractors].map((each) => each.close()));
});

const LIMITS = { wireBytes: 1_000_000, bodyBytes: 2_000_000, totalMs: 30_000 };

function fetcherOf(options: PageFetcherOptions = {}): PageFetcher {
  const fetcher = new PageFetcher({ allow: "127.0.0.1", manners: { apartMs: 0 }, limits: LIMITS, ...options });
  fetchers.push(fetcher);
  return fetcher;
}

const extractor = new Extractor({ processes: 1, time: 15_000, memory: 256 * 1024 * 1024 });
extractors.push(extractor);
const extract = (kind: DocumentKind, bytes: Uint8Array | string) =>
  extractor.extract({ kind, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes });

describe("a server that does not stop", () => {
  it("sending is cut off at the limit", async () => {
    let sent = 0;
    await using server = await PageServer.start({
      "/": (_, answer) => {
        answer.writeHead(200, { "content-type": "text/html" });
        const chunk = Buffer.alloc(64 * 1024, "a");
        const more = () => {
          while (!answer.destroyed && answer.write(chunk)) sent += chunk.length;
          sent += chunk.length;
        };
        answer.on("drain", more);
        more();
      },
    });
    await expect(fetcherOf().fetch(server.url("/"), { signal })).rejects.toMatchObject({ code: "page_too_large" });
    // The 16 MB are for bytes in buffers between client and server when the limit is exceeded.
    expect(sent).toBeLessThan(LIMITS.wireBytes + 16_000_000);
  });

  it("trickling its body is aborted at the timeout", async () => {
    await using server = await PageServer.start({
      "/": (_, answer) => {
        answer.writeHead(200, { "content-type": "text/plain" });
        const timer = setInterval(() => answer.write("."), 20);
        answer.on("close", () => clearInterval(timer));
      },
    });
    const fetcher = fetcherOf({ limits: { ...LIMITS, totalMs: 400 } });
    await expect(fetcher.fetch(server.url("/"), { signal })).rejects.toMatchObject({ code: "fetch_timeout" });
  });

  it.each([
    ["trickling its headers", trickle, "fetch_timeout"],
    ["saying nothing", () => undefined, "fetch_timeout"],
    [
      "sending headers without end",
      (socket: Socket) => flood(socket, "HTTP/1.1 200 OK\r\n", "x-a: bbbbbbbbbbbbbbbbbbbb\r\n"),
      "bad_answer",
    ],
    [
      "sending one header without end",
      (socket: Socket) => flood(socket, "HTTP/1.1 200 OK\r\nx: ", "a".repeat(1_000)),
      "bad_answer",
    ],
    ["speaking another protocol", (socket: Socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "bad_answer"],
    ["hanging up", (socket: Socket) => void socket.destroy(), "bad_answer"],
    [
      "promising more than it sends",
      (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\nabc"),
      "bad_answer",
    ],
  ])("%s", async (_, behave, code) => {
    const server = await socketServer(behave);
    try {
      const totalMs = code === "fetch_timeout" ? 800 : LIMITS.totalMs;
      const fetcher = fetcherOf({ limits: { ...LIMITS, totalMs } });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      await expect(fetcher.fetch(url, { signal })).rejects.toMatchObject({ code });
    } finally {
      server.close();
    }
  });
});

function trickle(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
  const timer = setInterval(() => socket.write("x"), 20);
  socket.on("close", () => clearInterval(timer));
}

function flood(socket: Socket, start: string, piece: string): void {
  socket.write(start);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

async function socketServer(behave: (socket: Socket) => void): Promise<Server> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => behave(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

describe("a decompression bomb is not unpacked beyond the limit", () => {
  const bomb = Buffer.alloc(64_000_000);
  it.each([
    ["gzip", "gzip", () => gzipSync(bomb)],
    ["deflate", "deflate", () => deflateSync(bomb)],
    ["br", "br", () => brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["zstd", "zstd", () => zstdCompressSync(bomb)],
    ["gzip in gzip", "gzip, gzip", () => gzipSync(gzipSync(bomb))],
  ])("%s", async (_, encoding, pack) => {
    await using server = await PageServer.start({ "/": page("text/html", pack(), { "content-encoding": encoding }) });
    const before = process.memoryUsage().arrayBuffers;
    await expect(fetcherOf().fetch(server.url("/"), { signal })).rejects.toMatchObject({
      code: "page_too_large",
      message: expect.stringContaining("unpacked"),
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });

  it("compressed fifty times", async () => {
    const encoding = Array.from({ length: 50 }, () => "gzip").join(", ");
    await using server = await PageServer.start({ "/": page("text/html", "x", { "content-encoding": encoding }) });
    await expect(fetcherOf().fetch(server.url("/"), { signal })).rejects.toMatchObject({ code: "bad_encoding" });
  });
});

describe("a page", () => {
  it.each([
    ["of nested elements", `${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}`, "deep"],
    ["of nested tables", `${"<table><tr><td>".repeat(20_000)}deep`, "deep"],
    ["of nested lists", `${"<ul><li>".repeat(20_000)}deep`, "deep"],
    ["of nested formatting", `${"<b><i>".repeat(5_000)}deep`, "deep"],
    ["of many elements", "<span>x </span>".repeat(200_000), "x x"],
    ["of many attributes", `<p ${"a=b ".repeat(200_000)}>text</p>`, "text"],
    ["of many entities", `<p>${"&amp;".repeat(200_000)}</p>`, "&&"],
    ["of open tags", "<a <a ".repeat(100_000), ""],
    ["of a tag without end", `<p>text</p><a href="${"x".repeat(1_000_000)}`, "text"],
    ["of angle brackets", "<".repeat(1_000_000), ""],
    ["of NULs", "\0".repeat(1_000_000), ""],
    ["in lone surrogates", "<p>\ud800text\udfff</p>", "text"],
  ])("%s is read as far as possible", async (_, html, text) => {
    const read = await extract("html", html);
    expect(read.text).toContain(text);
    expect(read.text.isWellFormed()).toBe(true);
  });

  it("with an endless comment is read or aborted", async () => {
    const outcome = await extract("html", `<p>text</p><!--${"-".repeat(1_000_000)}`).then(
      ({ text }) => text,
      (error: { code: string }) => error.code,
    );
    expect(["text", "too_large"]).toContain(outcome);
  });

  it("with any bytes in any charset gives some text", async () => {
    const charset = fc.constantFrom(
      "utf-8",
      "utf-16",
      "utf-16be",
      "gb18030",
      "iso-2022-jp",
      "x-user-defined",
      "nonsense",
      "",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        charset,
        fc.constantFrom("html" as const, "text" as const, "json" as const),
        async (bytes, name, kind) => {
          const { text } = await extractor.extract({ bytes, kind, charset: name });
          expect(text.isWellFormed()).toBe(true);
        },
      ),
      { numRuns: Math.min(runs, 2_000) / 5 },
    );
  });

  it("a page that takes too long blocks its own thread, not the server's, and the next page is read", async () => {
    const hasty = new Extractor({ processes: 1, time: 1 });
    extractors.push(hasty);
    const heavy = { kind: "html" as const, bytes: Buffer.from("<p>some words</p>".repeat(30_000)) };
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await expect(hasty.extract(heavy)).rejects.toMatchObject({ code: "too_large" });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
    expect((await extract("html", "<p>next</p>")).text).toBe("next");
  });

  it("whose reading is cancelled ends with the reason", async () => {
    const stop = new AbortController();
    const bytes = Buffer.from("<p>some words</p>".repeat(30_000));
    const waiting = extractor.extract({ kind: "html", bytes }, stop.signal);
    setTimeout(() => stop.abort(new Error("stopped")), 5);
    await expect(waiting).rejects.toThrow("stopped");
  });
});

describe("a document", () => {
  const readable = pdfOf("BT /F1 12 Tf 20 100 Td (Hello from a PDF) Tj ET");

  it("a document that is valid is read", async () => {
    expect(await extract("pdf", readable)).toMatchObject({ text: "[page 1]\nHello from a PDF", pages: 1 });
    expect((await extract("zip", docxOf("<w:p><w:r><w:t>Hello from Word</w:t></w:r></w:p>"))).text).toBe(
      "[page 1]\nHello from Word",
    );
  });

  it.each([
    ["an empty PDF", "pdf", ""],
    ["a PDF of its first line", "pdf", "%PDF-1.7\n"],
    [
      "a PDF without pages",
      "pdf",
      "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 9999999>>endobj trailer<</Root 1 0 R>>",
    ],
    [
      "a PDF that refers to itself",
      "pdf",
      "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 1>>endobj trailer<</Root 1 0 R/Prev 0>>",
    ],
    ["a Word document that is none", "zip", "PK\u0003\u0004 and then nothing"],
    ["a Word document without a document", "zip", zipOf({ "a.txt": "x" })],
  ] as const)("%s is refused, or read as empty", async (_, kind, bytes) => {
    const outcome = await extract(kind, bytes).then(
      ({ text }) => text.replace(/\[page \d+\]/g, "").trim(),
      (error: { code: string }) => error.code,
    );
    expect(["", "unreadable"]).toContain(outcome);
  });

  it("a document that is damaged anywhere is read or refused with a typed error", async () => {
    const place = fc.record({ at: fc.nat(readable.length - 1), byte: fc.nat(255), cut: fc.nat(readable.length) });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 8 }), async (places) => {
        const bytes = Buffer.from(readable);
        for (const { at, byte } of places) bytes[at] = byte;
        const cut = (places[0]?.cut ?? 0) % 5 === 0 ? bytes.subarray(0, places[0]?.cut) : bytes;
        const outcome = await extract("pdf", cut).then(
          ({ text }) => typeof text,
          (error: { code: string }) => error.code,
        );
        expect(["string", "unreadable", "too_large"]).toContain(outcome);
      }),
      { numRuns: Math.min(runs, 2_000) / 20 },
    );
  });

  it("a document that unpacks to more than its memory is aborted", async () => {
    const spaces = deflateSync(Buffer.alloc(300_000_000, " "), { level: 1 });
    await expect(extract("pdf", pdfOf(spaces, "/Filter/FlateDecode"))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:too_large|unreadable)$/),
    });
    const letters = `<w:p><w:r><w:t>${"a".repeat(80_000_000)}</w:t></w:r></w:p>`;
    await expect(extract("zip", docxOf(letters))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:too_large|unreadable)$/),
    });
    expect((await extract("pdf", readable)).text).toContain("Hello");
  });
});

/** A PDF of one page with the given content. */
function pdfOf(content: string | Uint8Array, filter = ""): Buffer {
  const stream = Buffer.from(content as Uint8Array);
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    Buffer.concat([Buffer.from(`<</Length ${stream.length}${filter}>>stream\n`), stream, Buffer.from("\nendstream")]),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  for (const [at, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.concat([Buffer.from(`${at + 1} 0 obj`), Buffer.from(object as string), Buffer.from("endobj\n")]));
  }
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(`xref\n0 6\n0000000000 65535 f \n${rows}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`),
  );
  return Buffer.concat(parts);
}
