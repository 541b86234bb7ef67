/** A picture made on the spot, so that tests carry no binary files. */
import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [number, number, number];

/** From one colour at the left to another at the right, with a soft wave across. */
export function gradientPng(width: number, height: number, from: Colour, to: Colour): Uint8Array {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const wave = 0.08 * Math.sin(x / 60 + (y / height) * 6);
      const share = Math.min(1, Math.max(0, x / width + wave));
      for (let channel = 0; channel < 3; channel++)
        rows[y * (width * 3 + 1) + 1 + x * 3 + channel] = Math.round(
          (from[channel] ?? 0) * (1 - share) + (to[channel] ?? 0) * share,
        );
    }
  return pngOf(width, height, rows);
}

/** A PNG with eight bits a channel, from its rows with a filter byte each. */
export function pngOf(width: number, height: number, rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
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
