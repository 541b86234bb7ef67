/** Encodes pixels as PNG, for rendered pages and for pictures in tests. */
import { crc32, deflateSync } from "node:zlib";

/** Pixels of four bytes, the last of which is the opacity; documents are opaque. */
export function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const stride = width * 3 + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0, from = 0; y < height; y++) {
    // Every row has filter 0, because deflate alone compresses pictures of text well.
    for (let to = y * stride + 1; to < (y + 1) * stride; to += 3, from += 4) {
      rows[to] = pixels[from] ?? 0;
      rows[to + 1] = pixels[from + 1] ?? 0;
      rows[to + 2] = pixels[from + 2] ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
