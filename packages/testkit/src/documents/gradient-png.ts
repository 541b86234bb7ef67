/** A generated picture, so that tests contain no binary files. */
import { encodePng } from "@cairn/tools/rendering";

type Colour = readonly [number, number, number];

/** A gradient from left to right, with a soft wave across. */
export function gradientPng(width: number, height: number, from: Colour, to: Colour): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const wave = 0.08 * Math.sin(x / 60 + (y / height) * 6);
      const share = Math.min(1, Math.max(0, x / width + wave));
      for (let channel = 0; channel < 3; channel++)
        pixels[(y * width + x) * 4 + channel] = Math.round(
          (from[channel] ?? 0) * (1 - share) + (to[channel] ?? 0) * share,
        );
    }
  return encodePng(pixels, width, height);
}
