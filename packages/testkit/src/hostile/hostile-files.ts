/**
 * Files that exhaust programs that read them, of every kind that can be attached, read, imported or returned by a tool.
 * Code generates them in the requested size; they are never stored.
 */
import { crc32, deflateSync } from "node:zlib";
import { hostileArchives } from "./hostile-archives.ts";
import type { HostileFile } from "./hostile-file.ts";
import { contentBomb, fontBomb, pageTreeLoop, xrefBomb } from "./hostile-pdf.ts";

/** `size`: approximate number of bytes of each file whose harm grows with its size. */
export async function* hostileFiles(size: number): AsyncGenerator<HostileFile> {
  yield { name: "xref.pdf", mime: "application/pdf", bytes: await xrefBomb(Math.min(150_000_000, size * 3)) };
  yield { name: "pages.pdf", mime: "application/pdf", bytes: pageTreeLoop() };
  yield { name: "content.pdf", mime: "application/pdf", bytes: contentBomb(size * 10) };
  yield { name: "font.pdf", mime: "application/pdf", bytes: fontBomb(fontOf(size)) };
  yield { name: "objects.pdf", mime: "application/pdf", bytes: filled(size, "%PDF-1.4\n", "/Type /Page endobj ") };
  yield { name: "font.ttf", mime: "font/ttf", bytes: fontOf(size) };
  yield { name: "pixels.png", mime: "image/png", bytes: png(60_000, 60_000, size) };
  yield { name: "chunks.png", mime: "image/png", bytes: Buffer.concat([png(1, 1, 10), Buffer.alloc(size)]) };
  yield {
    name: "segments.jpg",
    mime: "image/jpeg",
    bytes: filled(size, "\xff\xd8\xff\xe0\x00\x02", "\xff\xe0\x00\x02"),
  };
  yield { name: "unclosed.svg", mime: "image/svg+xml", bytes: filled(size, "", "<svg ") };
  yield { name: "laughs.svg", mime: "image/svg+xml", bytes: Buffer.from(laughs("svg")) };
  yield { name: "laughs.xml", mime: "text/xml", bytes: Buffer.from(laughs("x")) };
  yield { name: "deep.xml", mime: "text/xml", bytes: filled(size, "", "<a>") };
  yield { name: "deep.html", mime: "text/html", bytes: filled(size, "<html>", "<div><b>") };
  yield { name: "lists.json", mime: "application/json", bytes: Buffer.from(`[${"[],".repeat(size / 3)}[]]`) };
  yield {
    name: "deep.json",
    mime: "application/json",
    bytes: Buffer.from(`${"[".repeat(size / 2)}${"]".repeat(size / 2)}`),
  };
  yield { name: "words.txt", mime: "text/plain", bytes: words(size) };
  yield { name: "commas.csv", mime: "text/csv", bytes: filled(size, "a", ",") };
  yield* hostileArchives(size);
}

function filled(size: number, start: string, piece: string): Buffer {
  return Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(Math.max(0, size - start.length), piece, "latin1")]);
}

/** Words that are all different, from a generator with a fixed seed. */
function words(size: number): Buffer {
  const parts: string[] = [];
  let length = 0;
  for (let state = 1; length < size; ) {
    state = (state * 48_271) % 2_147_483_647;
    const word = `${state.toString(36)} `;
    parts.push(word);
    length += word.length;
  }
  return Buffer.from(parts.join(""));
}

/** A font that claims more tables than it has, each as large as the file. */
function fontOf(size: number): Buffer {
  const font = Buffer.alloc(Math.max(size, 1_000), "glyf\xff\xff\xff\xff\x00\x00\x00\x00\x7f\xff\xff\xff", "latin1");
  font.writeUInt32BE(0x00010000, 0);
  font.writeUInt16BE(65_535, 4);
  return font;
}

function png(width: number, height: number, size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const pixels = deflateSync(Buffer.alloc(Math.min(size * 10, 300_000_000)), { level: 1 });
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** Each entity expands to ten of the previous one: a kilobyte of text becomes ten billion characters. */
function laughs(root: string): string {
  const entities = Array.from({ length: 10 }, (_, n) =>
    n === 0 ? '<!ENTITY e0 "lol">' : `<!ENTITY e${n} "${`&e${n - 1};`.repeat(10)}">`,
  );
  return `<?xml version="1.0"?><!DOCTYPE ${root} [${entities.join("")}]><${root} width="&e9;" height="1">&e9;</${root}>`;
}
